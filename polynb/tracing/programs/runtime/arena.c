/* Memory of the runtime's own, from the system and never from the program's heap: rows that the
   program allocates one after the other must lie as they lie without us. The runtime and the folding
   are compiled with these in the place of malloc and its kin; blocks of a size class are kept in a
   list when they are freed. */
enum { SMALLEST = 5, LARGEST = 20, CHUNK = 1 << 22 };

typedef union free_block {
    union free_block *next;
} free_block;

typedef struct {
    uint64_t size_class, bytes; /* 16 bytes before each block; class 0: mapped on its own */
} block_head;

static free_block *free_blocks[LARGEST + 1];
static char *chunk, *chunk_end;
static int64_t arena_bytes, arena_limit = INT64_MAX;

static void *pages(size_t bytes) {
    void *found = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return found == MAP_FAILED ? NULL : found;
}

static void *carve(size_t bytes) {
    if ((size_t)(chunk_end - chunk) < bytes) {
        char *fresh = pages(CHUNK);
        if (!fresh) return NULL;
        chunk = fresh, chunk_end = fresh + CHUNK;
        arena_bytes += CHUNK;
    }
    char *found = chunk;
    chunk += bytes;
    return found;
}

static void *arena_malloc(size_t bytes) {
    if (arena_bytes > arena_limit || bytes > (size_t)1 << 46) return NULL;
    size_t whole = bytes + sizeof(block_head);
    uint64_t class = whole <= 1 << SMALLEST ? SMALLEST : 64 - __builtin_clzl(whole - 1);
    block_head *found;
    if (class > LARGEST) {
        if (!(found = pages(whole))) return NULL;
        arena_bytes += whole, class = 0;
    } else if (free_blocks[class]) {
        found = (block_head *)free_blocks[class];
        free_blocks[class] = free_blocks[class]->next;
    } else if (!(found = carve((size_t)1 << class))) {
        return NULL;
    }
    *found = (block_head){class, bytes};
    return found + 1;
}

static void arena_free(void *p) {
    if (!p) return;
    block_head *b = (block_head *)p - 1;
    if (!b->size_class) {
        arena_bytes -= b->bytes + sizeof *b;
        munmap(b, b->bytes + sizeof *b);
        return;
    }
    uint64_t class = b->size_class;
    free_block *f = (free_block *)b;
    f->next = free_blocks[class];
    free_blocks[class] = f;
}

static void *arena_calloc(size_t n, size_t each) {
    if (each && n > SIZE_MAX / each) return NULL;
    void *p = arena_malloc(n * each);
    return p ? memset(p, 0, n * each) : NULL;
}

static void *arena_realloc(void *p, size_t bytes) {
    if (!p) return arena_malloc(bytes);
    block_head *b = (block_head *)p - 1;
    if (b->size_class && bytes + sizeof *b <= (size_t)1 << b->size_class) {
        b->bytes = bytes;
        return p;
    }
    void *q = arena_malloc(bytes);
    if (!q) return NULL;
    memcpy(q, p, b->bytes < bytes ? b->bytes : bytes);
    arena_free(p);
    return q;
}

/* For the runtime's own tables, without which there is nothing to go on with. */
static void *must(void *p) {
    if (!p) stop(MEMORY, 0);
    return p;
}
