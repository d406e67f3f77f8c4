/* Memory that is given and taken back, and what is done here in the library's stead. The program is
   linked with --wrap for these. What is freed has no writer from then on. */
#define TOLD (mode == FOLD && traced)

static void unknown(void *p, size_t size) {
    if (TOLD && p && size) shadow_clear((uintptr_t)p, size);
}

/* Two accesses of one call: that of the target goes by the byte before the return address. */
static void copied(uintptr_t pc, void *to, const void *from, size_t size) {
    if (!size) return;
    seen(pc, (void *)from, size, 0);
    seen(pc - 1, to, size, 1);
}

/* What was allocated, where: the first of them, so that addresses can be named. */
enum { BLOCKS = 1 << 13 };
static struct {
    int64_t at, address, size, element;
} allocated[BLOCKS];

static void *remember(uintptr_t pc, void *p, size_t size, size_t element) {
    if (TOLD && p && size && allocated_count < BLOCKS && place(pc) < code_size) {
        allocated[allocated_count].at = place(pc), allocated[allocated_count].address = (int64_t)p;
        allocated[allocated_count].size = (int64_t)size;
        allocated[allocated_count++].element = (int64_t)element;
    }
    return p;
}

static void write_blocks(void) {
    pn_put(allocated_count);
    for (int64_t k = 0; k < allocated_count; k++) pn_put_many(&allocated[k].at, 4);
}

HOOK void *__wrap_malloc(size_t size) { return remember(HERE, malloc(size), size, 1); }
HOOK void *__wrap_calloc(size_t n, size_t each) {
    return remember(HERE, calloc(n, each), n * each, each);
}
HOOK void *__wrap__Znwm(size_t size) {
    static void *(*made)(size_t);
    if (!made) made = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "_Znwm");
    return remember(HERE, made(size), size, 1);
}
HOOK void *__wrap__Znam(size_t size) {
    static void *(*made)(size_t);
    if (!made) made = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "_Znam");
    return remember(HERE, made(size), size, 1);
}

HOOK void __wrap_qsort(void *p, size_t n, size_t each, int (*compare)(const void *, const void *)) {
    qsort(p, n, each, compare);
    if (n * each) seen(HERE, p, n * each, 1);
}
HOOK void __wrap_free(void *p) {
    if (p && TOLD) unknown(p, malloc_usable_size(p));
    free(p);
}
HOOK void *__wrap_realloc(void *p, size_t size) {
    size_t had = p ? malloc_usable_size(p) : 0;
    void *q = realloc(p, size);
    if (!q || q == p) return q;
    copied(HERE, q, p, had < size ? had : size);
    unknown(p, had);
    return q;
}
HOOK void __wrap__ZdlPv(void *p) { __wrap_free(p); }
HOOK void __wrap__ZdaPv(void *p) { __wrap_free(p); }
HOOK void __wrap__ZdlPvm(void *p, size_t size) {
    (void)size;
    __wrap_free(p);
}
HOOK void __wrap__ZdaPvm(void *p, size_t size) {
    (void)size;
    __wrap_free(p);
}
HOOK void __wrap__exit(int code) {
    at_exit();
    leave(code);
}
