// C = A * B on square single-precision matrices, tiles of 16 x 16 in shared memory, for sm_70. See launch.toml.
//   gt200 emulate kernels/matrix_mul --source kernels/matrix_mul/matrix_mul_sm_70.s
.target sm_70
.entry matrixMul_bs16_32bit
.param b64 c
.param b64 a
.param b64 b
.param b32 width_a
.param b32 width_b
.shared tile_a 1024
.shared tile_b 1024
  [B------:R-:W0:-:S02] S2R R0, SR_TID.X
  [B------:R-:W1:-:S02] S2R R2, SR_TID.Y
  [B------:R-:W2:-:S02] S2R R3, SR_CTAID.X
  [B------:R-:W3:-:S02] S2R R4, SR_CTAID.Y
  [B-1-3--:R-:W-:-:S05] LEA R4, R4, R2, 0x4              // row
  [B0-2---:R-:W-:-:S05] LEA R3, R3, R0, 0x4              // column
  [B------:R-:W-:-:S05] MOV R5, 0x4
  [B------:R-:W-:-:S05] IMAD R6, R4, c[0x0][width_a], R0
  [B------:R-:W-:-:S05] IMAD R7, R2, c[0x0][width_b], R3
  [B------:R-:W-:-:S05] IMAD R14, R4, c[0x0][width_b], R3
  [B------:R-:W-:-:S05] IMAD.WIDE R8, R6, R5, c[0x0][a]
  [B------:R-:W-:-:S05] IMAD.WIDE R10, R7, R5, c[0x0][b]
  [B------:R-:W-:-:S05] SHF.L.U32 R12, R2, 0x6, RZ       // the row of the tile, in bytes
  [B------:R-:W-:-:S05] SHF.L.U32 R13, R0, 0x2, RZ       // the column, in bytes
  [B------:R-:W-:-:S05] IADD3 R15, R12, R13, RZ
  [B------:R-:W-:-:S05] MOV R4, RZ                       // the sum
  [B------:R-:W-:-:S05] MOV R2, RZ                       // terms added
  [B------:R-:W-:-:S08] MOV R3, c[0x0][width_b]
next:
  [B------:R-:W0:-:S02] LDG.E.SYS R6, [R8]
  [B------:R-:W1:-:S02] LDG.E.SYS R7, [R10]
  [B------:R-:W-:-:S05] BAR.SYNC 0x0
  [B0-----:R2:W-:-:S02] STS [R15+tile_a], R6
  [B-1----:R2:W-:-:S02] STS [R15+tile_b], R7
  [B------:R-:W-:-:S05] BAR.SYNC 0x0
  [B------:R-:W0:-:S02] LDS R16, [R12+tile_a+0]
  [B------:R-:W0:-:S02] LDS R32, [R13+tile_b+0]
  [B------:R-:W0:-:S02] LDS R17, [R12+tile_a+4]
  [B------:R-:W0:-:S02] LDS R33, [R13+tile_b+64]
  [B------:R-:W0:-:S02] LDS R18, [R12+tile_a+8]
  [B------:R-:W0:-:S02] LDS R34, [R13+tile_b+128]
  [B------:R-:W0:-:S02] LDS R19, [R12+tile_a+12]
  [B------:R-:W0:-:S02] LDS R35, [R13+tile_b+192]
  [B------:R-:W0:-:S02] LDS R20, [R12+tile_a+16]
  [B------:R-:W0:-:S02] LDS R36, [R13+tile_b+256]
  [B------:R-:W0:-:S02] LDS R21, [R12+tile_a+20]
  [B------:R-:W0:-:S02] LDS R37, [R13+tile_b+320]
  [B------:R-:W0:-:S02] LDS R22, [R12+tile_a+24]
  [B------:R-:W0:-:S02] LDS R38, [R13+tile_b+384]
  [B------:R-:W0:-:S02] LDS R23, [R12+tile_a+28]
  [B------:R-:W0:-:S02] LDS R39, [R13+tile_b+448]
  [B------:R-:W0:-:S02] LDS R24, [R12+tile_a+32]
  [B------:R-:W0:-:S02] LDS R40, [R13+tile_b+512]
  [B------:R-:W0:-:S02] LDS R25, [R12+tile_a+36]
  [B------:R-:W0:-:S02] LDS R41, [R13+tile_b+576]
  [B------:R-:W0:-:S02] LDS R26, [R12+tile_a+40]
  [B------:R-:W0:-:S02] LDS R42, [R13+tile_b+640]
  [B------:R-:W0:-:S02] LDS R27, [R12+tile_a+44]
  [B------:R-:W0:-:S02] LDS R43, [R13+tile_b+704]
  [B------:R-:W0:-:S02] LDS R28, [R12+tile_a+48]
  [B------:R-:W0:-:S02] LDS R44, [R13+tile_b+768]
  [B------:R-:W0:-:S02] LDS R29, [R12+tile_a+52]
  [B------:R-:W0:-:S02] LDS R45, [R13+tile_b+832]
  [B------:R-:W0:-:S02] LDS R30, [R12+tile_a+56]
  [B------:R-:W0:-:S02] LDS R46, [R13+tile_b+896]
  [B------:R-:W0:-:S02] LDS R31, [R12+tile_a+60]
  [B------:R-:W0:-:S02] LDS R47, [R13+tile_b+960]
  [B0-----:R-:W-:-:S04] FFMA R4, R16, R32, R4
  [B------:R-:W-:-:S04] FFMA R4, R17, R33, R4
  [B------:R-:W-:-:S04] FFMA R4, R18, R34, R4
  [B------:R-:W-:-:S04] FFMA R4, R19, R35, R4
  [B------:R-:W-:-:S04] FFMA R4, R20, R36, R4
  [B------:R-:W-:-:S04] FFMA R4, R21, R37, R4
  [B------:R-:W-:-:S04] FFMA R4, R22, R38, R4
  [B------:R-:W-:-:S04] FFMA R4, R23, R39, R4
  [B------:R-:W-:-:S04] FFMA R4, R24, R40, R4
  [B------:R-:W-:-:S04] FFMA R4, R25, R41, R4
  [B------:R-:W-:-:S04] FFMA R4, R26, R42, R4
  [B------:R-:W-:-:S04] FFMA R4, R27, R43, R4
  [B------:R-:W-:-:S04] FFMA R4, R28, R44, R4
  [B------:R-:W-:-:S04] FFMA R4, R29, R45, R4
  [B------:R-:W-:-:S04] FFMA R4, R30, R46, R4
  [B------:R-:W-:-:S04] FFMA R4, R31, R47, R4
  [B--2---:R-:W-:-:S05] IADD3 R2, R2, 0x10, RZ
  [B------:R-:W-:-:S05] IADD3 R8, P0, R8, 0x40, RZ       // 16 columns of A
  [B------:R-:W-:-:S05] SHF.L.U32 R6, R3, 0x6, RZ        // 16 rows of B, in bytes
  [B------:R-:W-:-:S05] IADD3 R10, P1, R10, R6, RZ
  [B------:R-:W-:-:S05] IADD3.X R9, R9, RZ, RZ, P0, !PT
  [B------:R-:W-:-:S05] IADD3.X R11, R11, RZ, RZ, P1, !PT
  [B------:R-:W-:Y:S13] ISETP.LT.AND P2, PT, R2, c[0x0][width_a], PT
  [B------:R-:W-:-:S05] @P2 BRA next
  [B------:R-:W-:-:S08] IMAD.WIDE R8, R14, R5, c[0x0][c]
  [B------:R-:W-:-:S02] STG.E.SYS [R8], R4
  [B------:R-:W-:-:S05] EXIT
.end
