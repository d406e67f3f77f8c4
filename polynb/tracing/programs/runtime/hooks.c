/* What the compiler calls: -fsanitize=thread at loads and stores, at the entry of a function and at
   its exit; -fsanitize-coverage=trace-pc in every basic block. Of clang, with which scalars are seen
   too: -finstrument-functions, and trace-loads and trace-stores. */
#define STACK ((char *)__builtin_frame_address(0))
#define TRACING (mode != OFF && traced)

HOOK void __tsan_init(void) {}

/* The frame of a function that begins holds what others left there: nobody has written it. (What it
   is given unnamed, and where its list of that stands, is written by no hook.) It ends where the
   function returns to: above the frame pointer, where functions have one, or at the first such word
   (an old one, perhaps). Of a large one, or one that looks otherwise, nothing is done. */
static void new_frame(void *site, char *stack) {
    enum { WORDS_OF_FRAME = 128 };
    void **start = (void **)stack + 2, **end = start + WORDS_OF_FRAME; /* behind the hook's own */
    void **p = variants.scalars ? *(void ***)stack + 1 : start;
    if (mode != FOLD || !traced || p < start) return;
    while (!variants.scalars && p < end && *p != site) p++;
    if (p < end && *p == site) shadow_clear((uintptr_t)start, (char *)p - (char *)start);
}

static inline void entered(uintptr_t pc, void *site, char *stack) {
    uint32_t at = place(pc);
    if (UNLIKELY(!TRACING || at >= code_size)) return;
    if (mode == FOLD) loops_enter(at, place((uintptr_t)site), stack);
    else graph_enter(at, stack);
}

static inline void left(uintptr_t pc) {
    if (UNLIKELY(!TRACING || place(pc) >= code_size)) return;
    if (mode == FOLD) loops_exit();
    else graph_exit();
}

HOOK void __tsan_func_entry(void *site) {
    new_frame(site, STACK);
    entered(HERE, site, STACK);
}

HOOK void __tsan_func_exit(void *unused) {
    (void)unused;
    left(HERE);
}

HOOK void __sanitizer_cov_trace_pc(void) {
    uint32_t at = place(HERE);
    if (UNLIKELY(!TRACING || at >= code_size)) return;
    if (mode == FOLD) loops_block(at, STACK);
    else graph_block(at, STACK);
}

static inline void seen(uintptr_t pc, void *address, uintptr_t size, int write) {
    if (mode == FOLD && traced) access_memory(pc, (uintptr_t)address, size, write);
}

#define ACCESS(name, size)                                                      \
    HOOK void __tsan_read##name(void *p) { seen(HERE, p, size, 0); }            \
    HOOK void __tsan_write##name(void *p) { seen(HERE, p, size, 1); }           \
    HOOK void __tsan_unaligned_read##name(void *p) { seen(HERE, p, size, 0); }  \
    HOOK void __tsan_unaligned_write##name(void *p) { seen(HERE, p, size, 1); } \
    HOOK void __tsan_volatile_read##name(void *p) { seen(HERE, p, size, 0); }   \
    HOOK void __tsan_volatile_write##name(void *p) { seen(HERE, p, size, 1); }
ACCESS(1, 1)
ACCESS(2, 2)
ACCESS(4, 4)
ACCESS(8, 8)
ACCESS(16, 16)

HOOK void __tsan_read_range(void *p, uintptr_t size) {
    if (size) seen(HERE, p, size, 0);
}
HOOK void __tsan_write_range(void *p, uintptr_t size) {
    if (size) seen(HERE, p, size, 1);
}
HOOK void __tsan_vptr_update(void **p, void *value) {
    (void)value;
    seen(HERE, p, sizeof *p, 1);
}
HOOK void __tsan_vptr_read(void **p) { seen(HERE, p, sizeof *p, 0); }

/* clang, without optimisation: all loads and stores, those of scalars too. */
#define SCALAR(size)                                                            \
    HOOK void __sanitizer_cov_load##size(void *p) { seen(HERE, p, size, 0); }    \
    HOOK void __sanitizer_cov_store##size(void *p) { seen(HERE, p, size, 1); }
SCALAR(1)
SCALAR(2)
SCALAR(4)
SCALAR(8)
SCALAR(16)

HOOK void __cyg_profile_func_enter(void *function, void *site) {
    enum { BEGINNING = 256 }; /* what is put into another function begins in the middle of that */
    if (HERE - (uintptr_t)function < BEGINNING) new_frame(site, STACK);
    entered(HERE, site, STACK);
}
HOOK void __cyg_profile_func_exit(void *function, void *site) {
    (void)function, (void)site;
    left(HERE);
}

/* Atomic operations are not told of but replaced: they are done here, and are a load, a store, or
   both, which go by bytes of the call. Comparing counts as both, as data decide whether it writes;
   what was expected is read, and written where it was not so. */
static inline void updated(uintptr_t pc, volatile void *p, uintptr_t size) {
    seen(pc, (void *)p, size, 0);
    seen(pc - 1, (void *)p, size, 1);
}
static inline void compared(uintptr_t pc, volatile void *p, void *expected, uintptr_t size, int same) {
    seen(pc - 2, expected, size, 0);
    updated(pc, p, size);
    if (!same) seen(pc - 3, expected, size, 1);
}

#define UPDATE(bits, type, name)                                                            \
    HOOK type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) {           \
        (void)order;                                                                        \
        updated(HERE, p, sizeof *p);                                                        \
        return __atomic_##name(p, v, __ATOMIC_SEQ_CST);                                     \
    }
#define COMPARE(bits, type, name)                                                           \
    HOOK int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, \
                                                           type v, int yes, int no) {       \
        (void)yes, (void)no;                                                                \
        int same = __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        compared(HERE, p, expected, sizeof *p, same);                                       \
        return same;                                                                        \
    }
#define COMPARE_VALUE(bits, type)                                                           \
    HOOK type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected,   \
                                                         type v, int yes, int no) {         \
        (void)yes, (void)no;                                                                \
        updated(HERE, p, sizeof *p);                                                        \
        __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected;                                                                    \
    }
#define ATOMIC(bits, type)                                                                  \
    HOOK type __tsan_atomic##bits##_load(const volatile type *p, int order) {               \
        (void)order;                                                                        \
        seen(HERE, (void *)p, sizeof *p, 0);                                                \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                        \
    }                                                                                       \
    HOOK void __tsan_atomic##bits##_store(volatile type *p, type v, int order) {            \
        (void)order;                                                                        \
        seen(HERE, (void *)p, sizeof *p, 1);                                                \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                           \
    }                                                                                       \
    HOOK type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) {         \
        (void)order;                                                                        \
        updated(HERE, p, sizeof *p);                                                        \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                 \
    }                                                                                       \
    UPDATE(bits, type, fetch_add) UPDATE(bits, type, fetch_sub) UPDATE(bits, type, fetch_and) \
    UPDATE(bits, type, fetch_or) UPDATE(bits, type, fetch_xor) UPDATE(bits, type, fetch_nand) \
    COMPARE(bits, type, strong) COMPARE(bits, type, weak) COMPARE_VALUE(bits, type)
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
HOOK void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HOOK void __tsan_atomic_signal_fence(int order) { (void)order; }
