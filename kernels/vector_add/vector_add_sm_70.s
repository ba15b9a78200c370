// C = A + B on single-precision vectors, one element per thread, for sm_70. See launch.toml.
//   gt200 emulate kernels/vector_add --source kernels/vector_add/vector_add_sm_70.s
.target sm_70
.entry VecAdd
.param b64 a
.param b64 b
.param b64 c
.param b32 n
  [B------:R-:W0:-:S02] S2R R0, SR_CTAID.X
  [B------:R-:W1:-:S02] S2R R2, SR_TID.X
  [B01----:R-:W-:-:S05] IMAD R0, R0, c[0x0][%ntid.x], R2
  [B------:R-:W-:Y:S13] ISETP.GE.AND P0, PT, R0, c[0x0][n], PT
  [B------:R-:W-:-:S05] @P0 EXIT
  [B------:R-:W-:-:S05] MOV R8, 0x4
  [B------:R-:W-:-:S04] IMAD.WIDE R2, R0, R8, c[0x0][a]
  [B------:R-:W-:-:S04] IMAD.WIDE R4, R0, R8, c[0x0][b]
  [B------:R-:W-:-:S08] IMAD.WIDE R6, R0, R8, c[0x0][c]
  [B------:R-:W0:-:S02] LDG.E.SYS R2, [R2]
  [B------:R-:W1:-:S02] LDG.E.SYS R4, [R4]
  [B01----:R-:W-:-:S08] FADD R9, R2, R4
  [B------:R-:W-:-:S02] STG.E.SYS [R6], R9
  [B------:R-:W-:-:S05] EXIT
.end
