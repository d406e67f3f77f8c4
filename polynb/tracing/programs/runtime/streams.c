/* One stream for each access in each calling context, one for each pair of a reader and the last
   writer of what it read; each entry goes straight into the folding, once for each variant. */
typedef struct dependence {
    struct dependence *next; /* of the same reader: the one used last comes first */
    uint32_t writer;
    int32_t level; /* its number among those of one read and writer */
    fold *folds[VARIANTS];
    int64_t entries, rejected;
    struct raw *raw;
    uint32_t over; /* what is read after loops of these depths, which had written it several times */
    uint32_t early; /* and of which their last iterations had not written it */
    uint32_t crossed; /* and what leads to other iterations of loops of these */
} dependence;

struct stream {
    fold *folds[VARIANTS];
    struct raw *raw;
    int64_t entries, rejected;
    dependence *producers;
    uint32_t id, at, size, over; /* over: the loops of which it wrote over another iteration's */
    uintptr_t low, high;   /* the bytes that it reached, high the first behind them */
    int32_t dims, context, in; /* its innermost loop, -1: none */
    uint8_t write, local; /* local: of a variable of the running function; loads tell values */
    enum role role;
    int32_t function;      /* the one that was called, 0: none */
};

typedef struct raw { /* the entries themselves, for tests and the stepper */
    int64_t *words, count, room;
} raw;

static stream **streams; /* from 1: a word with writer 0 has none */
static uint32_t stream_count;

static struct {
    int32_t count, widen[VARIANTS], give_up[VARIANTS];
    int32_t slope, keep_raw, scalars;
} variants;

static int32_t writer_dims(uint32_t writer) { return streams[writer & NUMBER]->dims; }
static void overwrote(uint32_t writer, uint32_t over) {
    several |= over;
    streams[writer & NUMBER]->over |= over;
}
static int of_same_loops(uint32_t a, uint32_t b) {
    const stream *x = streams[a & NUMBER], *y = streams[b & NUMBER];
    return x == y || (x->context == y->context && x->in == y->in);
}

/* Instructions are always widened (fact 17), so variants that differ in that alone share a fold. */
static int32_t shared_with(int32_t v) {
    for (int32_t k = 0; k < v; k++)
        if (variants.give_up[k] == variants.give_up[v]) return k;
    return v;
}

static fold *new_fold(int32_t dims, int32_t outputs, int32_t widen, int32_t give_up) {
    return must(fold_new(dims, outputs, widen, give_up ? 4 * dims + 1 : 0, variants.slope));
}

/* Whether an address lies in the frame of the function that runs: what is compiled without
   optimisation has its scalars there, and the hooks tell of them (plan: scalars). */
static int is_local(uintptr_t address) {
    return variants.scalars && top > frames && address - (uintptr_t)top->stack <
           (top - 1 > frames ? (uintptr_t)top[-1].stack - (uintptr_t)top->stack : 1 << 20);
}

static stream *new_stream(uint32_t at, uintptr_t address, uint32_t size, int write, enum role role) {
    if ((stream_count & (stream_count + 1)) == 0)
        streams = must(arena_realloc(streams, 2 * (stream_count + 1) * sizeof *streams));
    stream *s = must(arena_calloc(1, sizeof *s));
    s->id = ++stream_count, s->at = at, s->size = size, s->write = write;
    s->dims = top->depth, s->context = top->c->id;
    s->in = top->in ? top->in->id : -1;
    s->local = size <= 8 && is_local(address);
    s->role = role;
    int32_t outputs = 1 + (s->local && !write);
    for (int32_t v = 0; v < variants.count; v++) {
        int32_t same = shared_with(v);
        s->folds[v] = same == v ? new_fold(s->dims, outputs, 1, variants.give_up[v]) : NULL;
    }
    if (variants.keep_raw) s->raw = must(arena_calloc(1, sizeof *s->raw));
    return streams[s->id] = s;
}

/* The stream of an access in this context. The table has its number within its function. */
static stream *find_stream(uint32_t at, uintptr_t address, uint32_t size, int write, enum role role) {
    context *c = top->c;
    if (!table[at]) {
        int32_t f = c->function ? table[c->function] : 0;
        table[at] = ++functions[f].accesses;
    }
    int32_t k = table[at];
    if (k >= c->room) {
        int32_t room = 2 * k + 8;
        c->streams = must(arena_realloc(c->streams, room * sizeof *c->streams));
        memset(c->streams + c->room, 0, (room - c->room) * sizeof *c->streams);
        c->room = room;
    }
    if (!c->streams[k]) c->streams[k] = new_stream(at, address, size, write, role);
    return c->streams[k];
}

static inline stream *stream_of(uint32_t at, uintptr_t address, uint32_t size, int write, enum role role) {
    context *c = top->c;
    int32_t k = table[at];
    if (UNLIKELY(!k || k >= c->room || !c->streams[k])) return find_stream(at, address, size, write, role);
    return c->streams[k];
}

static void keep(raw *r, int32_t dims, const int64_t *labels, int32_t outputs) {
    if (r->count + dims + outputs > r->room) {
        r->room = 2 * r->room + 64;
        r->words = must(arena_realloc(r->words, r->room * sizeof *r->words));
    }
    for (int32_t k = 0; k < dims; k++) r->words[r->count++] = iv[k];
    for (int32_t k = 0; k < outputs; k++) r->words[r->count++] = labels[k];
}

static inline void add(fold **folds, const int64_t *label, int64_t *rejected) {
    for (int32_t v = 0; v < variants.count; v++) {
        if (!folds[v]) continue;
        int bad = fold_add(folds[v], iv, label);
        if (UNLIKELY(bad)) *rejected += v == 0, counts.rejected += v == 0;
    }
}

static dependence *new_dependence(stream *s, uint32_t writer, int32_t level) {
    dependence **at = &s->producers, *d = *at;
    while (d && (d->writer != writer || d->level != level)) at = &d->next, d = *at;
    if (d) {
        *at = d->next;
    } else {
        d = must(arena_calloc(1, sizeof *d));
        d->writer = writer, d->level = level;
        for (int32_t v = 0; v < variants.count; v++)
            d->folds[v] = new_fold(s->dims, writer_dims(writer), variants.widen[v], variants.give_up[v]);
        if (variants.keep_raw) d->raw = must(arena_calloc(1, sizeof *d->raw));
    }
    d->next = s->producers;
    return s->producers = d;
}

static inline const uint32_t *vector_of(const entry *e) { return e->writer & LONG ? e->far : e->at; }

static inline void depend(stream *s, const entry *e, int32_t level, remains rest) {
    uint32_t writer = e->writer & NUMBER;
    dependence *d = s->producers;
    if (UNLIKELY(!d || d->writer != writer || d->level != level)) d = new_dependence(s, writer, level);
    int64_t label[DIMENSIONS];
    int32_t outputs = streams[writer]->dims;
    const uint32_t *from = vector_of(e);
    for (int32_t k = 0; k < outputs; k++) label[k] = from[k];
    d->over |= rest.over, d->early |= rest.early, d->crossed |= crosses(e, s->dims);
    d->entries++, counts.entries++;
    add(d->folds, label, &d->rejected);
    if (UNLIKELY(d->raw != NULL)) keep(d->raw, s->dims, label, outputs);
}

/* A read of several words or bytes: of each writer, and of each number of loops whose iteration it
   shares with the reader, the last instance, for a stream has one label per vector. So every loop
   that carries one of the dependences is told. Instances beyond are counted. */
enum { WRITERS = 64 };
typedef struct {
    const entry *last[WRITERS];
    remains rest[WRITERS];
    int32_t count;
} writers;

static int later(const entry *a, const entry *b, int32_t dims) {
    const uint32_t *x = vector_of(a), *y = vector_of(b);
    for (int32_t k = 0; k < dims; k++)
        if (x[k] != y[k]) return x[k] > y[k] ? 1 : -1;
    return 0;
}

static int32_t shared(const entry *e) {
    const uint32_t *x = vector_of(e);
    int32_t k = 0, dims = writer_dims(e->writer);
    while (k < dims && k < top->depth && x[k] == (uint32_t)iv[k]) k++;
    return k;
}

static void collect(writers *w, const entry *e) {
    if (!e->writer) return;
    remains rest = after(e, top->depth);
    for (int32_t k = 0; k < w->count; k++)
        if (w->last[k]->writer == e->writer && shared(w->last[k]) == shared(e)) {
            int order = later(e, w->last[k], writer_dims(e->writer));
            counts.merged += order != 0;
            if (order > 0) w->last[k] = e;
            w->rest[k].over |= rest.over, w->rest[k].early |= rest.early;
            return;
        }
    if (w->count < WRITERS) {
        w->rest[w->count] = rest;
        w->last[w->count++] = e;
    } else {
        counts.lost++;
    }
}

static void read_bytes(stream *s, uintptr_t address, uintptr_t size) {
    writers w = {.count = 0};
    for (uintptr_t end = address + size; address < end;) {
        const entry *e = word_of(address);
        uintptr_t step = 4 - (address & 3);
        if (e->writer & SPLIT) e = (entry *)e->bytes + (address & 3), step = 1;
        collect(&w, e);
        address += step;
    }
    for (int32_t k = 0; k < w.count; k++) {
        int32_t level = 0;
        for (int32_t q = 0; q < k; q++) level += w.last[q]->writer == w.last[k]->writer;
        depend(s, w.last[k], level, w.rest[k]);
    }
}

/* Two words of one instance: what most reads of 8 bytes find. */
static inline int alike(const entry *a, const entry *b) {
    if (a->writer != b->writer || a->writer & (SPLIT | LONG)) return 0;
    int32_t dims = a->writer ? writer_dims(a->writer) : 0;
    for (int32_t k = 0; k < dims; k++)
        if (a->at[k] != b->at[k]) return 0;
    return a->over == b->over;
}

static inline void shadow_read(stream *s, uintptr_t address, uintptr_t size) {
    if (UNLIKELY(address >> 47)) return;
    const entry *e = word_of(address);
    if (LIKELY(!(address & 3) && size <= 4 && !(e->writer & SPLIT))) {
        if (e->writer) depend(s, e, 0, after(e, top->depth));
    } else if (LIKELY(!(address & 7) && size == 8 && alike(e, e + 1))) {
        if (e->writer) depend(s, e, 0, after(e, top->depth));
    } else {
        read_bytes(s, address, size);
    }
}

static int64_t value_at(uintptr_t address, uintptr_t size) {
    switch (size) {
    case 1: return *(int8_t *)address;
    case 2: return *(int16_t *)address;
    case 4: return *(int32_t *)address;
    case 8: return *(int64_t *)address;
    default: return 0;
    }
}

/* An access: of `size` bytes from `address` on, by what is told apart by `at`: an instruction's
   place, or one of the keys that a call has (calls.c). */
static inline void access_at(
    uint32_t at, uintptr_t address, uintptr_t size, int write, enum role role, int32_t function
) {
    tick();
    stream *s = stream_of(at, address, (uint32_t)size, write, role);
    if (UNLIKELY(s->dims != top->depth || s->at != at)) { /* control flow the first run did not see */
        s->rejected++, counts.rejected++;
        return;
    }
    s->function = function;
    if (address < s->low || !s->high) s->low = address;
    if (address + size > s->high) s->high = address + size;
    int64_t label[2] = {(int64_t)address, 0};
    int32_t outputs = 1;
    if (UNLIKELY(s->local && !write)) label[1] = value_at(address, size), outputs = 2;
    s->entries++, counts.entries++;
    add(s->folds, label, &s->rejected);
    if (UNLIKELY(s->raw != NULL)) keep(s->raw, s->dims, label, outputs);
    if (write) shadow_write(address, size, s->id, s->dims);
    else shadow_read(s, address, size);
}

static inline void access_memory(uintptr_t pc, uintptr_t address, uintptr_t size, int write) {
    uint32_t at = place(pc);
    if (UNLIKELY(at >= code_size)) counts.outside++;
    else access_at(at, address, size, write, MEMORY_ACCESS, 0);
}
