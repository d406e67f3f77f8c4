/* Memory that has two addresses: parts of a file that are mapped twice, one of them shared, and
   segments that are attached twice. What goes by one address is not seen at the other. */
typedef struct {
    uintptr_t start, end;
    uint64_t device, number; /* of the file */
    int64_t offset;          /* of the file, at `start` */
    int shared;
} mapping;

enum { MAPPINGS = 1 << 10 };
static mapping mappings[MAPPINGS];
static int mapping_count;

static int add_mapping(mapping m) {
    if (m.start >= m.end) return 1;
    if (mapping_count == MAPPINGS) return 0;
    mappings[mapping_count++] = m;
    return 1;
}

/* What is left of the mappings without some memory; whether that could be kept. */
static int unmap(uintptr_t start, uintptr_t end) {
    int kept = 1;
    for (int k = mapping_count - 1; k >= 0; k--) {
        mapping m = mappings[k], before = m, behind = m;
        if (m.start >= end || m.end <= start) continue;
        mappings[k] = mappings[--mapping_count];
        before.end = start, behind.start = end, behind.offset += end - m.start;
        kept &= add_mapping(before) && add_mapping(behind);
    }
    return kept;
}

static uintptr_t whole_pages(int64_t size) {
    uintptr_t page = sysconf(_SC_PAGESIZE);
    return ((uintptr_t)size + page - 1) & -page;
}

static int unmapped_rest(int64_t p, int64_t size) {
    return !unmap((uintptr_t)p, (uintptr_t)p + whole_pages(size));
}

static int mapped_again(int64_t p, int64_t size, int64_t flags, int64_t file, int64_t offset) {
    mapping made = {(uintptr_t)p, (uintptr_t)p + whole_pages(size), 0, 0, offset, flags & MAP_SHARED};
    struct stat s;
    if ((void *)p == MAP_FAILED) return 0;
    int again = !unmap(made.start, made.end); /* what lay there is over */
    if (flags & MAP_ANONYMOUS) return again;
    if (syscall(SYS_fstat, (int)file, &s)) return 1;
    made.device = s.st_dev, made.number = s.st_ino;
    int64_t end = offset + (int64_t)(made.end - made.start);
    for (mapping *m = mappings; m < mappings + mapping_count; m++)
        if (m->device == made.device && m->number == made.number && (m->shared || made.shared))
            again |= m->offset < end && offset < m->offset + (int64_t)(m->end - m->start);
    return !add_mapping(made) || again;
}

/* Of memory that is no file's, one of its own each time, as long as there are any. */
static const void *order_of_mapping(int64_t flags, int64_t file) {
    enum { APART = 1 << 16 };
    static char apart[8 * APART];
    static int count;
    if (!(flags & MAP_ANONYMOUS)) return pn_order_in((int)file);
    return apart + 8 * (count < APART ? count++ : 0);
}

static struct {
    uintptr_t at;
    int64_t segment;
} attached[MAPPINGS];
static int attached_count;

static int attached_again(int64_t p, int64_t segment) {
    if (p == -1) return 0;
    int again = attached_count == MAPPINGS;
    for (int k = 0; k < attached_count; k++) again |= attached[k].segment == segment;
    if (again) return 1;
    attached[attached_count].at = (uintptr_t)p, attached[attached_count++].segment = segment;
    return 0;
}

static int detached(int64_t p) {
    for (int k = attached_count - 1; k >= 0; k--)
        if (attached[k].at == (uintptr_t)p) attached[k] = attached[--attached_count];
    return 0;
}
