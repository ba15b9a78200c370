// Breadth-first search, one level per pair of grids, one thread per node. Kernel 1 visits the neighbours of the nodes of
// the current level; kernel 2 makes the nodes found the next level and reports whether there were any.
.target sm_11

.entry bfs_kernel1
.param u64 nodes
.param u64 edges
.param u64 mask
.param u64 updating
.param u64 visited
.param u64 cost
.param s32 n
.literal one u32 1

    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    set $c0 # le s32 b32 s[n] $r0
    (lg $c0) ret
    add b32 $r1 b32 s[mask] $r0
    ld s8 $r2 g14[$r1]
    set $c0 # e s32 $r2 $r124
    (lg $c0) ret

    // $r2 .. $r3 = edges of the node, $r4 = &cost[node], $r5 = &edges[$r2]
    st u8 g14[$r1] $r124
    shl b32 $r2 $r0 0x3
    add b32 $r2 b32 s[nodes] $r2
    ld b64 $r2d g14[$r2]
    add b32 $r3 $r2 $r3
    set $c0 # ge s32 $r2 $r3
    (lg $c0) ret
    shl b32 $r4 $r0 0x2
    shl b32 $r5 $r2 0x2
    add b32 $r4 b32 s[cost] $r4
    add b32 $r5 b32 s[edges] $r5
    joinat done
edge:
    ld b32 $r6 g14[$r5]
    add b32 $r7 b32 s[visited] $r6
    ld s8 $r7 g14[$r7]
    set $c0 # lg s32 $r7 $r124
    joinat next
    (lg $c0) bra next
    ld b32 $r7 g14[$r4]
    shl b32 $r8 $r6 0x2
    add b32 $r8 b32 s[cost] $r8
    add b32 $r7 $r7 c1[one]
    st b32 g14[$r8] $r7
    add b32 $r8 b32 s[updating] $r6
    mov b32 $r7 0x1
    st u8 g14[$r8] $r7
next:
    join add b32 $r2 $r2 c1[one]
    add b32 $r5 $r5 0x4
    set $c0 # l s32 $r2 $r3
    (lg $c0) bra edge
done:
    join nop
    exit nop
.end

.entry bfs_kernel2
.param u64 mask
.param u64 updating
.param u64 visited
.param u64 over
.param s32 n

    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    set $c0 # le s32 b32 s[n] $r0
    (lg $c0) ret
    add b32 $r1 b32 s[updating] $r0
    ld s8 $r2 g14[$r1]
    set $c0 # e s32 $r2 $r124
    (lg $c0) ret
    add b32 $r3 b32 s[mask] $r0
    add b32 $r4 b32 s[visited] $r0
    mov b32 $r5 b32 s[over]
    mov b32 $r2 0x1
    st u8 g14[$r3] $r2
    st u8 g14[$r4] $r2
    st u8 g14[$r5] $r2
    exit st u8 g14[$r1] $r124
.end
