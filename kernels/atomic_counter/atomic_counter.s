// Global atomics: every thread draws a ticket from one counter, marks it, counts its value in a histogram and joins
// in a maximum. The results do not depend on the order of the threads.
.target sm_11

.entry atomic_counter
.param u64 data
.param u64 counter
.param u64 marks
.param u64 histogram
.param u64 largest
.param s32 N
.literal mask u32 63

    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    set $c0 # le s32 b32 s[N] $r0
    (lg $c0) ret

    shl b32 $r1 $r0 0x2
    add b32 $r1 b32 s[data] $r1
    ld b32 $r1 g14[$r1]
    mov b32 $r2 b32 s[counter]
    mov b32 $r3 0x1
    ld add u32 $r4 g14[$r2] $r3

    // marks[ticket] += 1
    shl b32 $r4 $r4 0x2
    add b32 $r4 b32 s[marks] $r4
    red add u32 g14[$r4] $r3

    // histogram[value % 64] += 1
    and b32 $r5 $r1 c1[mask]
    shl b32 $r5 $r5 0x2
    add b32 $r5 b32 s[histogram] $r5
    red add u32 g14[$r5] $r3

    mov b32 $r2 b32 s[largest]
    exit red max u32 g14[$r2] $r1
.end
