/* What goes in (the plan) and what comes out (the results): files of 64-bit numbers, which
   polynb/tracing/programs/protocol.py writes and reads, and the limits of a run. */
static struct {
    int64_t mode, seconds, entries, bytes;
} limits;

static char results_path[4096];
static struct timespec started;
static int64_t fault; /* the place of a signal, 0: not in the program's own code */
static int results_file = -1, stopping, asked_to_stop;

static void pn_send(const char *from, size_t left) {
    while (left) {
        ssize_t done = system_write(results_file, from, left);
        if (done <= 0) leave(98);
        from += done, left -= done;
    }
}

static void *pn_zeroed(size_t count, size_t size) {
    void *p = arena_calloc(count, size);
    if (!p) leave(94);
    return p;
}

static void write_graph(void) {
    pn_put(edge_count);
    for (int64_t k = 0; k < edge_room; k++)
        if (edges[k].function) pn_put(edges[k].function), pn_put(edges[k].from), pn_put(edges[k].to);
}

static void write_stream(fold **folds, const raw *r) {
    for (int32_t v = 0; v < variants.count; v++) {
        pn_put(folds[v] != NULL);
        if (!folds[v]) continue;
        fold_finish(folds[v]);
        pn_put_fold(folds[v]);
        fold_free(folds[v]);
        folds[v] = NULL;
    }
    pn_put(r ? r->count : 0);
    if (r) pn_put_many(r->words, r->count);
}

static int64_t allocated_count;
static void write_blocks(void);
static uint32_t place_of(uint32_t at);

static void write_folding(void) {
    pn_put(context_count);
    for (int32_t k = 0; k < context_count; k++) {
        context *c = contexts[k];
        int64_t row[] = {c->caller ? c->caller->id : -1, c->site, c->function, c->base,
                         c->parent_depth, c->component, c->in, c->external, c->merged};
        pn_put_many(row, 9);
    }
    pn_put(variants.count);
    pn_put(stream_count);
    for (uint32_t k = 1; k <= stream_count; k++) {
        stream *s = streams[k];
        int64_t row[] = {s->context, place_of(s->at), s->size,    s->write, s->dims,
                         s->entries, s->rejected,     s->in,      s->local, s->role, s->function, s->at,
                         (int64_t)s->low, (int64_t)s->high, s->over};
        pn_put_many(row, 15);
        write_stream(s->folds, s->raw);
    }
    for (uint32_t k = 1; k <= stream_count; k++)
        for (dependence *d = streams[k]->producers; d; d = d->next) {
            int64_t row[] = {k, d->writer, d->entries, d->rejected, d->over, d->early, d->crossed};
            pn_put_many(row, 7);
            write_stream(d->folds, d->raw);
        }
    pn_put(0);
    write_blocks();
}

static void write_results(enum ending how, int64_t detail) {
    results_file = system_open(results_path, O_WRONLY | O_CREAT | O_TRUNC);
    if (results_file < 0) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t nanoseconds = (now.tv_sec - started.tv_sec) * 1000000000 + now.tv_nsec - started.tv_nsec;
    int64_t head[] = {mode, how, detail, nanoseconds, counts.blocks, counts.entries, counts.outside,
                      counts.unforeseen, counts.merged, counts.rejected, arena_bytes,
                      (int64_t)code_start, fault, counts.lost};
    pn_put_many(head, 14);
    if (mode == GRAPH) write_graph();
    else write_folding();
    pn_put(0x656e64); /* "end": the file is whole */
    pn_flush();
    system_close(results_file);
}

/* The end of tracing, once: at the program's exit, at a limit, or when it is killed. */
static void stop(enum ending how, int64_t detail) {
    if (stopping || mode == OFF) leave(97);
    stopping = 1;
    arena_limit = INT64_MAX;
    write_results(how, detail);
    mode = OFF;
    if (how != EXITED) {
        fflush(NULL);
        leave(96);
    }
}

static int64_t resident_bytes(void) {
    char text[128] = "";
    int file = system_open("/proc/self/statm", O_RDONLY);
    if (file < 0) return 0;
    ssize_t got = system_read(file, text, sizeof text - 1);
    system_close(file);
    char *second = got > 0 ? strchr(text, ' ') : NULL;
    return second ? strtoll(second, NULL, 10) * sysconf(_SC_PAGESIZE) : 0;
}

static void look_at_limits(void) {
    static int rounds;
    countdown = 1 << 16;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (asked_to_stop || (limits.seconds && now.tv_sec - started.tv_sec >= limits.seconds)) stop(TIME, 0);
    if (limits.entries && counts.entries >= limits.entries) stop(EVENTS, 0);
    if (turn >= LAST_TURN) stop(ITERATIONS, 0);
    if (limits.bytes && !(rounds++ & 15) && resident_bytes() > limits.bytes) stop(MEMORY, 0);
}

/* A first request to stop waits for the next event; a second does not (the program may sleep).
   A program that ignores SIGTERM is asked by SIGXCPU. */
static int asks_to_stop(int signal) { return signal == SIGTERM || signal == SIGXCPU; }

static void on_signal(int signal, siginfo_t *info, void *unused) {
#ifdef __x86_64__
    uint32_t at = place((uintptr_t)((ucontext_t *)unused)->uc_mcontext.gregs[REG_RIP]);
    fault = at < code_size ? at + 1 : 0;
#else
    (void)unused;
#endif
    (void)info;
    if (stopping || !traced) leave(128 + signal);
    if (asks_to_stop(signal)) {
        if (asked_to_stop) stop(TIME, 1);
        asked_to_stop = 1, countdown = 0;
        return;
    }
    stop(SIGNALLED, signal);
}

static void catch_signals(void) {
    static char stack[1 << 18];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGXCPU, SIGINT};
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++) {
        struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
        sigaction(caught[k], &action, NULL);
    }
}
