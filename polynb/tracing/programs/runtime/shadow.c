/* The last writer of every byte: its stream's number and its iteration vector.

   One entry of 40 bytes stands for an aligned word of 4 bytes: the writer, when it wrote, the loops
   (a bit each, by depth) of which another iteration had written it before, and a vector of up to 7
   dimensions (a longer one lies elsewhere). A word whose bytes have different writers is split into
   four such entries. Entries lie in tables of a megaword that the system fills with zeros (no
   writer) when they are first touched. */
enum { SHORT = 7, WORDS = 1 << 20 };
#define SPLIT 0x80000000u
#define LONG 0x40000000u
#define NUMBER 0x3fffffffu

typedef struct {
    uint32_t writer, time;
    union {
        struct {
            uint32_t over, at[SHORT];
        };
        struct {
            uint32_t over_too, unused;
            uint32_t *far; /* a vector of more than 7 dimensions */
        };
        struct {
            uint32_t over_as_well, unused_too;
            void *bytes; /* four entries */
        };
    };
} entry;

static int32_t writer_dims(uint32_t writer);
static int of_same_loops(uint32_t a, uint32_t b);
static void overwrote(uint32_t writer, uint32_t over);
static entry **shadow; /* by address >> 22 */

static int shadow_start(void) {
    shadow = pages(sizeof *shadow << (47 - 22));
    return shadow != NULL;
}

static entry *new_words(uintptr_t address) {
    entry *fresh = pages(sizeof *fresh * WORDS);
    if (!fresh) stop(MEMORY, 1);
    return shadow[address >> 22] = fresh;
}

static inline entry *word_of(uintptr_t address) {
    entry *words = shadow[address >> 22];
    if (UNLIKELY(!words)) words = new_words(address);
    return words + (address >> 2 & (WORDS - 1));
}

static void forget(entry *e) {
    if (e->writer & LONG) arena_free(e->far);
    if (e->writer & SPLIT) {
        entry *bytes = e->bytes;
        for (int k = 0; k < 4; k++) forget(bytes + k);
        arena_free(bytes);
    }
    e->writer = 0;
}

/* The loops around the one that writes now of which another iteration had written an entry, in this
   execution of them, or, if it is of the same loops, in another one. */
static inline uint32_t overwrites(const entry *old, uint32_t writer, int32_t dims) {
    uint32_t found = 0, kept;
    if (!old->writer) return 0;
    if (UNLIKELY(old->writer & SPLIT)) {
        for (int k = 0; k < 4; k++) found |= overwrites((entry *)old->bytes + k, writer, dims);
        return found;
    }
    for (int32_t q = 0; q < dims && q < 32; q++) {
        if (old->time < turned[q]) {
            kept = old->over & ~0u << q;
            if (kept && !of_same_loops(old->writer, writer)) kept = 0;
            return old->time < begun[q] ? found | kept : found | kept | 1u << q;
        }
        found |= old->over & 1u << q;
    }
    return found;
}

/* The loops that had written an entry several times, and are over; and of which the last iteration
   had not. */
typedef struct {
    uint32_t over, early;
} remains;

static inline remains after(const entry *e, int32_t dims) {
    remains found = {0, 0};
    for (int32_t q = 0; q < 32 && e->over >> q; q++)
        if (e->over >> q & 1 && (q >= dims || e->time < begun[q])) {
            found.over |= 1u << q;
            found.early |= (uint32_t)lost_by(e->time, q) << q;
        }
    return found;
}

/* The loop that a value crosses, from one iteration to another. */
static inline uint32_t crosses(const entry *e, int32_t dims) {
    for (int32_t q = 0; q < dims && q < 32 && e->time >= begun[q]; q++)
        if (e->time < turned[q]) return 1u << q;
    return 0;
}

static void write_long(entry *e, uint32_t writer, int32_t dims) {
    uint32_t *far = must(arena_malloc(dims * sizeof *far));
    for (int32_t k = 0; k < dims; k++) far[k] = (uint32_t)iv[k];
    e->far = far, e->writer = writer | LONG;
}

static inline void write_entry(entry *e, uint32_t writer, int32_t dims) {
    uint32_t over = overwrites(e, writer, dims);
    if (UNLIKELY(e->writer & (SPLIT | LONG))) forget(e);
    e->time = turn, e->over = over;
    if (UNLIKELY(over)) overwrote(writer, over);
    if (UNLIKELY(dims > SHORT)) {
        write_long(e, writer, dims);
        return;
    }
    e->writer = writer;
    for (int32_t k = 0; k < dims; k++) e->at[k] = (uint32_t)iv[k];
}

static entry *byte_of(uintptr_t address) {
    entry *word = word_of(address), *bytes;
    if (!(word->writer & SPLIT)) {
        bytes = must(arena_malloc(4 * sizeof *bytes));
        for (int k = 0; k < 4; k++) {
            bytes[k] = *word;
            if (word->writer & LONG) {
                int32_t dims = writer_dims(word->writer);
                bytes[k].far = must(arena_malloc(dims * sizeof *word->far));
                memcpy(bytes[k].far, word->far, dims * sizeof *word->far);
            }
        }
        if (word->writer & LONG) arena_free(word->far);
        word->bytes = bytes, word->writer = SPLIT;
    }
    return (entry *)word->bytes + (address & 3);
}

static void write_bytes(uintptr_t address, uintptr_t size, uint32_t writer, int32_t dims) {
    for (uintptr_t end = address + size; address < end;) {
        if (!(address & 3) && end - address >= 4) {
            write_entry(word_of(address), writer, dims);
            address += 4;
        } else {
            write_entry(byte_of(address++), writer, dims);
        }
    }
}

static inline void shadow_write(uintptr_t address, uintptr_t size, uint32_t writer, int32_t dims) {
    if (UNLIKELY(address >> 47)) return;
    if (LIKELY(!(address & 3) && (size == 4 || size == 8))) {
        write_entry(word_of(address), writer, dims);
        if (size == 8) write_entry(word_of(address + 4), writer, dims);
    } else {
        write_bytes(address, size, writer, dims);
    }
}

/* What the system or a library wrote, or what was freed, has no writer that we know. */
static void shadow_clear(uintptr_t address, uintptr_t size) {
    for (uintptr_t end = address + size; address < end;) {
        if (!shadow[address >> 22]) {
            address = (address | 0x3fffff) + 1;
        } else if (!(address & 3) && end - address >= 4) {
            entry *e = word_of(address);
            if (e->writer) forget(e);
            address += 4;
        } else {
            entry *e = word_of(address);
            if (e->writer) forget(byte_of(address));
            address++;
        }
    }
}
