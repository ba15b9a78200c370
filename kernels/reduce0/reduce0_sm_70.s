// Sums of 256 single-precision numbers each, for sm_70: a tree in shared memory. See launch.toml.
//   gt200 emulate kernels/reduce0 --source kernels/reduce0/reduce0_sm_70.s
.target sm_70
.entry reduce0
.param b64 idata
.param b64 odata
.param b32 n
.shared sums 1024
  [B------:R-:W0:-:S02] S2R R0, SR_TID.X
  [B------:R-:W1:-:S02] S2R R2, SR_CTAID.X
  [B01----:R-:W-:-:S05] IMAD R3, R2, c[0x0][%ntid.x], R0
  [B------:R-:W-:Y:S13] ISETP.GE.U32.AND P0, PT, R3, c[0x0][n], PT
  [B------:R-:W-:-:S05] MOV R8, 0x4
  [B------:R-:W-:-:S04] MOV R5, RZ
  [B------:R-:W-:-:S08] IMAD.WIDE R6, R3, R8, c[0x0][idata]
  [B------:R-:W0:-:S02] @!P0 LDG.E.SYS R5, [R6]
  [B------:R-:W-:-:S08] SHF.L.U32 R4, R0, 0x2, RZ
  [B0-----:R0:W-:-:S02] STS [R4+sums], R5
  [B------:R-:W-:-:S04] MOV R6, 0x80
  [B0-----:R-:W-:-:S05] BAR.SYNC 0x0
next:
  [B------:R-:W-:Y:S13] ISETP.GE.U32.AND P1, PT, R0, R6, PT
  [B------:R-:W-:-:S05] BSSY B0, added
  [B------:R-:W-:-:S05] @P1 BRA added
  [B------:R-:W-:-:S08] LEA R7, R6, R4, 0x2
  [B------:R-:W0:-:S02] LDS R9, [R7+sums]
  [B------:R-:W1:-:S02] LDS R5, [R4+sums]
  [B01----:R-:W-:-:S08] FADD R5, R5, R9
  [B------:R0:W-:-:S02] STS [R4+sums], R5
added:
  [B0-----:R-:W-:-:S05] BSYNC B0
  [B------:R-:W-:-:S05] BAR.SYNC 0x0
  [B------:R-:W-:-:S04] SHF.R.U32.HI R6, RZ, 0x1, R6
  [B------:R-:W-:Y:S13] ISETP.NE.AND P2, PT, R6, RZ, PT
  [B------:R-:W-:-:S05] @P2 BRA next
  [B------:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R0, RZ, PT
  [B------:R-:W-:-:S05] @P0 EXIT
  [B------:R-:W-:-:S04] MOV R8, 0x4
  [B------:R-:W0:-:S02] LDS R5, [sums]
  [B------:R-:W-:-:S08] IMAD.WIDE R2, R2, R8, c[0x0][odata]
  [B0-----:R-:W-:-:S02] STG.E.SYS [R2], R5
  [B------:R-:W-:-:S05] EXIT
.end
