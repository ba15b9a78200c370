// Shared-memory atomics by lock and unlock: every block counts its values in 64 bins of shared memory, then adds the
// bins to those in device memory. A lane that does not get the lock of its bin tries again.
.target sm_12

.entry histogram
.param u64 data
.param u64 bins
.param u32 N
.shared counts 256
.literal number u32 64
.literal mask u32 63
.literal one u32 1

    // $r1 = tid.x, $r0 = i, $a1 = the thread's own bin, $c1: the thread has a bin
    mov b16 $r2l u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    set $c1 # l u32 $r1 c1[number]
    (lg $c1) st b32 s[$a1+counts] $r124
    bar inc wait 0x0 0xfff

    joinat counted
    set $c0 # g u32 b32 s[N] $r0
    (e $c0) bra counted
    shl b32 $r2 $r0 0x2
    add b32 $r2 b32 s[data] $r2
    ld b32 $r2 g14[$r2]
    and b32 $r2 $r2 c1[mask]
    shl $a2 $r2 0x2
again:
    ld lock $c0 $r2 b32 s[$a2+counts]
    (l $c0) add b32 $r2 $r2 c1[one]
    (l $c0) st unlock b32 s[$a2+counts] $r2
    (e $c0) bra again
counted:
    join nop
    bar inc wait 0x0 0xfff

    (e $c1) ret
    ld $r2 b32 s[$a1+counts]
    shl b32 $r3 $r1 0x2
    add b32 $r3 b32 s[bins] $r3
    exit red add u32 g14[$r3] $r2
.end
