// Resamples an image through a texture: out(x, y) = image(x * step.x + first.x, y * step.y + first.y), with the
// addressing mode and the filter that the launch description sets. For sm_70.
.target sm_70
.sampler image 0
.const step f32 0 0
.const first f32 0 0

.entry texture_filter
.param b64 out
.param b32 width
.literal handle u32 0  // word 0 of c[0x2]: the unit of the image
  [B------:R-:W0:-:S02] S2R R0, SR_CTAID.X
  [B------:R-:W0:-:S02] S2R R1, SR_TID.X
  [B------:R-:W1:-:S02] S2R R2, SR_CTAID.Y
  [B------:R-:W1:-:S02] S2R R3, SR_TID.Y
  [B0-----:R-:W-:-:S05] IMAD R0, R0, c[0x0][%ntid.x], R1
  [B-1----:R-:W-:-:S06] IMAD R2, R2, c[0x0][%ntid.y], R3
  [B------:R-:W0:-:S02] I2F.U32 R4, R0
  [B------:R-:W1:-:S02] I2F.U32 R5, R2
  // While the coordinates are converted: R6 = the address of out[y * width + x]
  [B------:R-:W-:-:S05] IMAD R8, R2, c[0x0][width], R0
  [B------:R-:W-:-:S05] MOV R1, 0x4
  [B------:R-:W-:-:S04] IMAD.WIDE.U32 R6, R8, R1, c[0x0][out]
  [B0-----:R-:W-:-:S04] FMUL R4, R4, c[0x3][step]
  [B-1----:R-:W-:-:S04] FMUL R5, R5, c[0x3][step+4]
  [B------:R-:W-:-:S04] FADD R4, R4, c[0x3][first]
  [B------:R-:W-:-:S08] FADD R5, R5, c[0x3][first+4]
  [B------:R-:W0:-:S02] TEX.SCR.LZ RZ, R4, R4, R5, 0x2, 0x0, 2D, 0x1
  [B0-----:R-:W-:-:S02] STG.E.SYS [R6], R4
  [B------:R-:W-:-:S05] EXIT
.end
