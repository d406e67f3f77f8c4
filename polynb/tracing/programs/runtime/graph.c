/* The first run: which block follows which in a function, which function calls which.

   Blocks belong to the function whose hook announced them last. Functions that touch no memory
   announce nothing: their blocks are told by the symbol table (`owner`) and left out, or a function
   that is called in two places would look like a loop around both. */
typedef struct {
    uint32_t start, end;
} symbol;

typedef struct {
    uint32_t at;
    int32_t owner, loop; /* the symbol; the innermost loop, -1: none, -2: not known */
    int32_t header;
    uint32_t next; /* the block seen after it last: most edges are seen again and again */
} block;

static symbol *symbols;
static int64_t symbol_count;
static block *blocks; /* from 1; one that is known has its number in the table */
static int32_t block_count, block_room;

static int32_t owner_of(uint32_t at) {
    int64_t low = 0, high = symbol_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (symbols[middle].start <= at) low = middle + 1;
        else high = middle;
    }
    return low && at < symbols[low - 1].end ? (int32_t)(low - 1) : -1;
}

static int32_t new_block(uint32_t at) {
    if (block_count + 1 >= block_room) {
        block_room = block_room ? 2 * block_room : 1024;
        blocks = must(arena_realloc(blocks, block_room * sizeof *blocks));
    }
    blocks[++block_count] = (block){at, owner_of(at), -2, 0, 0};
    return table[at] = block_count;
}

/* Edges and calls: pairs of places in an open hash table, which doubles when it is half full. */
typedef struct {
    uint32_t function, from, to;
} edge;

static edge *edges;
static int64_t edge_count, edge_room;

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    return x ^ x >> 29;
}

static edge *edge_slot(edge *in, int64_t room, edge e) {
    uint64_t k = mixed(((uint64_t)e.from << 32 | e.to) + mixed(e.function));
    for (;; k++) {
        edge *slot = in + (k & (room - 1));
        if (!slot->function || !memcmp(slot, &e, sizeof e)) return slot;
    }
}

static void add_edge(uint32_t function, uint32_t from, uint32_t to) {
    if (2 * edge_count >= edge_room) {
        int64_t room = edge_room ? 2 * edge_room : 1024;
        edge *fresh = must(arena_calloc(room, sizeof *fresh));
        for (int64_t k = 0; k < edge_room; k++)
            if (edges[k].function) *edge_slot(fresh, room, edges[k]) = edges[k];
        arena_free(edges);
        edges = fresh, edge_room = room;
    }
    edge e = {function, from, to}, *slot = edge_slot(edges, edge_room, e);
    if (!slot->function) *slot = e, edge_count++;
}

/* The frames of the functions being run. One whose function left it without saying so (longjmp)
   lies below the stack's end, and goes when the next function is entered or a block of another
   function appears. */
typedef struct {
    uint32_t function; /* the place of its entry hook; 0: no function */
    int32_t owner, block;
    char *stack;
} graph_frame;

static graph_frame *graph_frames; /* [0] is code that is not traced; its owner is nobody (-2) */
static int32_t graph_top;

static void graph_enter(uint32_t function, char *stack) {
    while (graph_top && graph_frames[graph_top].stack <= stack) graph_top--;
    if (graph_top + 1 >= FRAMES) stop(TOO_DEEP, 0);
    graph_frame *caller = graph_frames + graph_top, *f = graph_frames + ++graph_top;
    *f = (graph_frame){function, owner_of(function), 0, stack};
    if (table[function] != (int32_t)caller->function + 1) { /* the caller seen last; 0: none yet */
        table[function] = (int32_t)caller->function + 1;
        add_edge(UINT32_MAX, caller->function, function);
    }
}

static void graph_exit(void) {
    if (graph_top) graph_top--;
}

static void graph_block(uint32_t at, char *stack) {
    tick();
    int32_t number = table[at] ? table[at] : new_block(at);
    block *b = blocks + number;
    graph_frame *f = graph_frames + graph_top;
    while (UNLIKELY(b->owner != f->owner)) {
        if (!graph_top || f->stack > stack) return;
        f = graph_frames + --graph_top;
    }
    block *last = blocks + f->block; /* blocks[0]: the function's entry */
    if (!f->block || last->next != at) {
        add_edge(f->function, last->at, at);
        last->next = at;
    }
    f->block = number;
}
