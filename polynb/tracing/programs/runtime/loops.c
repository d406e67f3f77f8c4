/* The second run: where in its loops the program is (section 4.1's iteration vectors).

   A vector is the canonical iterators of all loops around an instruction: those of the callers at
   the calls that led here, outermost first, then those of the function itself. A calling context is
   a chain of call sites by address, so no two calls share a stream, and no vector comes twice.

   - A loop is entered at 0, iterates when its header is reached again from inside, and is left by a
     block outside it.
   - Functions that call each other in a circle (a component of the call graph) share a context per
     function, however deep they are; the circle is a loop whose iterator advances with each call
     and each return within it (as in POLY-PROF, PPoPP'19).
   - A function called from code that is not traced (qsort's comparison, a destructor at exit) gets
     an iterator that counts such calls. */
typedef struct loop {
    struct loop *parent;
    int32_t depth, id;
    uint32_t header;
} loop;

typedef struct stream stream;

typedef struct context {
    struct context *caller, *next;
    uint32_t site, function;   /* the call's return address; the function's entry hook */
    int32_t id, base, parent_depth; /* dimensions before its own loops; those of its caller there */
    int32_t component, in;     /* its circle in the call graph; the caller's loop there; -1: none */
    uint8_t external, merged;  /* called from code not traced; reached from within its circle */
    stream **streams;          /* by the number an access has within its function */
    int32_t room;
} context;

typedef struct {
    context *c;
    loop *in;
    int64_t external; /* calls from code not traced since the last block */
    int64_t saved;    /* where the caller's iterators are kept, -1: they still stand in `iv` */
    char *stack;
    int32_t owner, depth;
    int32_t head, single; /* the last block is the head of its loop, which has no other */
} frame;

static loop *loops;
static int64_t loop_count;
static frame *frames; /* [0] is code that is not traced */
static frame *top;
static int64_t iv[DIMENSIONS + 2];
/* A run ends before its clock begins anew: what is earlier would be later then. */
#define LAST_TURN 0xff000000u
/* A clock that loops advance; of each depth, when the loop there began, its iteration, and the one
   before. Of which loops (a bit each) several iterations have written one place. */
static uint32_t turn = 1, begun[DIMENSIONS + 2], turned[DIMENSIONS + 2], before[DIMENSIONS + 2], several;
static context **contexts;
static int32_t context_count;
static int64_t *saved; /* iterators of callers within a circle */
static int64_t saved_count, saved_room;

typedef struct {
    uint32_t at;
    int32_t owner, component, accesses, is_main;
} function;

static function *functions; /* from 1; a known one has its number in the table */
static int64_t function_count, function_room;

static function *new_function(uint32_t at) { /* one that the first run did not see */
    if (function_count + 1 >= function_room) {
        function_room = 2 * function_room + 64;
        functions = must(arena_realloc(functions, function_room * sizeof *functions));
    }
    functions[++function_count] = (function){at, owner_of(at), -1, 0, 0};
    table[at] = (int32_t)function_count;
    return functions + function_count;
}

static context *context_of(context *caller, uint32_t site, uint32_t at, int32_t base, int32_t depth) {
    static context *buckets[1 << 12];
    uint64_t key = mixed(((uint64_t)site << 32 | at) + mixed((uintptr_t)caller + base));
    context **bucket = buckets + (key & 4095);
    for (context *c = *bucket; c; c = c->next)
        if (c->caller == caller && c->site == site && c->function == at && c->base == base) return c;
    if (context_count >= CONTEXTS) stop(TOO_MANY, 0);
    context *c = must(arena_calloc(1, sizeof *c));
    *c = (context){.caller = caller, .next = *bucket, .site = site, .function = at,
                   .id = context_count, .base = base, .parent_depth = depth, .component = -1, .in = -1};
    if ((context_count & (context_count - 1)) == 0)
        contexts = must(arena_realloc(contexts, (2 * context_count + 1) * sizeof *contexts));
    return contexts[context_count++] = *bucket = c;
}

/* Of each depth, the loops there that are over, in order, where several iterations had written one
   place: when they began, and when their last iterations did. Not of what calls itself. */
typedef struct {
    uint32_t begun, last;
} ran;
static struct {
    ran *runs;
    int64_t count, room;
} past[32];
static uint32_t circular;

static void keep_run(int32_t q) {
    several &= ~(1u << q);
    if (circular >> q & 1) return;
    if (past[q].count == past[q].room) {
        past[q].room = 2 * past[q].room + 64;
        past[q].runs = must(arena_realloc(past[q].runs, past[q].room * sizeof *past[q].runs));
    }
    past[q].runs[past[q].count++] = (ran){begun[q], turned[q]};
}

/* Whether what was written then is of another iteration than the last one of a loop that is over. */
static int lost_by(uint32_t time, int32_t q) {
    if (circular >> q & 1) return 0;
    if (time >= begun[q]) return time < turned[q];
    int64_t low = 0, high = past[q].count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (past[q].runs[middle].begun <= time) low = middle + 1;
        else high = middle;
    }
    return low && time < past[q].runs[low - 1].last;
}

static inline void begins(int32_t q) {
    iv[q] = 0;
    if (UNLIKELY(q < 32 && several >> q & 1)) keep_run(q);
    begun[q] = turned[q] = before[q] = ++turn;
}

static inline void turns(int32_t q) {
    iv[q]++;
    before[q] = turned[q];
    turned[q] = ++turn;
}

/* Within a circle: the caller's own iterators go aside, for the callee's take their place. */
static int64_t put_aside(int32_t from, int32_t to) {
    if (saved_count + 2 * (to - from) + 1 >= saved_room) {
        saved_room = 2 * saved_room + 1024;
        saved = must(arena_realloc(saved, saved_room * sizeof *saved));
    }
    int64_t where = saved_count;
    for (int32_t k = from; k < to; k++) {
        saved[saved_count++] = iv[k];
        saved[saved_count++] = (int64_t)((uint64_t)begun[k] << 32 | turned[k]);
    }
    return where;
}

static void loops_exit(void) {
    if (top == frames) return;
    frame *gone = top--;
    context *c = gone->c;
    if (gone->saved < 0) return;
    turns(c->base - 1); /* the return within a circle */
    const int64_t *from = saved + gone->saved;
    for (int32_t k = c->base; k < top->depth; k++, from += 2)
        iv[k] = from[0], begun[k] = (uint32_t)((uint64_t)from[1] >> 32), turned[k] = (uint32_t)from[1];
    saved_count = gone->saved;
}

static void loops_enter(uint32_t at, uint32_t site, char *stack) {
    while (UNLIKELY(top > frames && top->stack <= stack)) loops_exit();
    if (top + 1 >= frames + FRAMES) stop(TOO_DEEP, 0);
    function *f = table[at] ? functions + table[at] : new_function(at);
    context *from = top->c, *c;
    frame *callee = top + 1;
    callee->saved = -1;
    if (f->component >= 0 && f->component == from->component) {
        c = context_of(from->caller, from->site, at, from->base, from->parent_depth);
        c->external = from->external, c->component = f->component;
        c->in = from->in, c->merged |= c != from;
        callee->saved = put_aside(c->base, top->depth);
        turns(c->base - 1); /* the call */
    } else {
        int external = site >= code_size && !f->is_main, circle = f->component >= 0;
        int32_t base = top->depth;
        if (external) { /* between those from nowhere, main may have run */
            if (!top->external || top == frames) begins(base);
            if (top->external) iv[base] = top->external - 1, turns(base);
        }
        top->external += external, base += external;
        if (site >= code_size) site = 0;
        if (circle) circular |= ~0u << (base < 32 ? base : 31), begins(base++);
        if (base >= DIMENSIONS) stop(TOO_DEEP, 1);
        c = context_of(from, site, at, base, top->depth);
        c->external = external, c->component = f->component;
        c->in = top->in ? top->in->id : -1;
    }
    callee->c = c, callee->in = NULL, callee->external = 0, callee->stack = stack;
    callee->head = callee->single = 0;
    callee->owner = f->owner, callee->depth = c->base;
    top = callee;
}

/* To another loop. Of two loops with one header the outer one iterates when it is reached from
   there, and the inner one is entered. */
static void move(frame *f, loop *to, uint32_t at) {
    loop *common = f->in, *other = to;
    while (common != other) {
        if (!other || (common && common->depth >= other->depth)) common = common->parent;
        else other = other->parent;
    }
    int32_t kept = common ? common->depth : 0, depth = to ? to->depth : 0;
    if (f->in && f->in != common && f->head && !f->single) { /* no other iteration came after all */
        int32_t q = f->c->base + f->in->depth - 1;
        turned[q] = before[q];
    }
    f->single = 0;
    if (f->c->base + depth >= DIMENSIONS) stop(TOO_DEEP, 1);
    if (common && common->header == at) turns(f->c->base + kept - 1);
    for (int32_t k = kept; k < depth; k++) begins(f->c->base + k);
    f->in = to, f->depth = f->c->base + depth;
}

static void another_function(block *b, char *stack) {
    frame *f = top;
    while (f > frames && f->owner != b->owner && f->stack <= stack) f--;
    if (f == frames || f->owner != b->owner) return; /* a function that touches no memory */
    while (top > f) loops_exit();
}

static void loops_block(uint32_t at, char *stack) {
    tick();
    counts.blocks++;
    block *b = blocks + (LIKELY(table[at]) ? table[at] : new_block(at));
    if (UNLIKELY(b->owner != top->owner)) {
        another_function(b, stack);
        if (b->owner != top->owner) return;
    }
    if (UNLIKELY(b->loop == -2)) { /* not of the first run: the loops stay as they are */
        counts.unforeseen++;
        return;
    }
    frame *f = top;
    f->external = 0;
    loop *to = b->loop < 0 ? NULL : loops + b->loop;
    if (LIKELY(to == f->in)) {
        if (b->header) f->single = f->head, turns(f->depth - 1);
    } else {
        move(f, to, at);
    }
    f->head = b->header;
}
