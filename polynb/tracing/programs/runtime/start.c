/* The start of a traced program: the plan is read, the tables are laid out. */
static int64_t *plan, *plan_end;

static void redirect(void);

static int64_t next_number(void) {
    if (plan >= plan_end) leave(95);
    return *plan++;
}

static int64_t read_plan(const char *path) {
    int file = system_open(path, O_RDONLY);
    if (file < 0) return 0;
    off_t size = lseek(file, 0, SEEK_END);
    plan = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    system_close(file);
    if (plan == MAP_FAILED) return 0;
    plan_end = plan + size / 8;
    return 1;
}

static void read_symbols(void) {
    symbol_count = next_number();
    symbols = arena_malloc((symbol_count + 1) * sizeof *symbols);
    for (int64_t k = 0; k < symbol_count; k++) {
        symbols[k].start = (uint32_t)next_number();
        symbols[k].end = (uint32_t)next_number();
    }
}

static void read_loops(void) {
    loop_count = next_number();
    loops = arena_calloc(loop_count + 1, sizeof *loops);
    for (int64_t k = 0; k < loop_count; k++) {
        int64_t parent = next_number();
        loops[k].parent = parent < 0 ? NULL : loops + parent, loops[k].id = (int32_t)k;
        loops[k].depth = (int32_t)next_number(), loops[k].header = (uint32_t)next_number();
    }
    for (int64_t left = next_number(); left; left--) {
        uint32_t at = (uint32_t)next_number();
        new_block(at);
        blocks[block_count].loop = (int32_t)next_number();
        blocks[block_count].header = (int32_t)next_number();
    }
    functions = arena_calloc(function_room = 64, sizeof *functions);
    for (int64_t left = next_number(); left; left--) {
        function *f = new_function((uint32_t)next_number());
        f->component = (int32_t)next_number();
        f->is_main = (int32_t)next_number();
    }
}

static void start_graph(void) {
    graph_frames = pages(FRAMES * sizeof *graph_frames);
    graph_frames[0].owner = -2;
}

static void start_folding(void) {
    read_loops();
    variants.count = (int32_t)next_number();
    for (int32_t v = 0; v < variants.count; v++) {
        variants.widen[v] = (int32_t)next_number();
        variants.give_up[v] = (int32_t)next_number();
    }
    variants.slope = (int32_t)next_number();
    variants.keep_raw = (int32_t)next_number();
    variants.scalars = (int32_t)next_number();
    frames = top = pages(FRAMES * sizeof *frames);
    frames[0].owner = -2;
    frames[0].c = context_of(NULL, 0, 0, 0, 0);
    redirect();
    if (!shadow_start()) leave(95);
}

/* The first object that is listed is the program itself. */
static int find_code(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_LOAD && info->dlpi_phdr[k].p_flags & PF_X) {
            program_base = info->dlpi_addr;
            code_start = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
            code_size = (uint32_t)info->dlpi_phdr[k].p_memsz;
        }
    return 1;
}

/* Addresses that are the same in every run: started again without randomisation, where allowed. */
static void without_randomisation(char **arguments) {
    int now = personality(0xffffffff);
    if (now == -1 || now & ADDR_NO_RANDOMIZE || personality(now | ADDR_NO_RANDOMIZE) == -1) return;
    execve("/proc/self/exe", arguments, environ);
}

static void at_exit(void) {
    if (mode != OFF && !stopping && traced) stop(EXITED, 0);
}

static void in_a_child(void) { mode = OFF; }

__attribute__((constructor)) static void begin(int count, char **arguments) {
    const char *path = getenv("POLYNB_TRACE");
    (void)count;
    if (!path || strlen(path) + 16 > sizeof results_path) return;
    without_randomisation(arguments);
    char plan_path[sizeof results_path];
    snprintf(plan_path, sizeof plan_path, "%s.plan", path);
    snprintf(results_path, sizeof results_path, "%s.results", path);
    unsetenv("POLYNB_TRACE"); /* programs that this one starts are not traced */
    if (!read_plan(plan_path)) leave(95);
    dl_iterate_phdr(find_code, NULL);
    table = pages(((size_t)code_size + 2 + CALL_KEYS) * sizeof *table);
    block_room = 0, new_block(0), table[0] = 0, block_count = 0;
    limits.mode = next_number(), limits.seconds = next_number();
    limits.entries = next_number(), limits.bytes = next_number();
    read_symbols();
    clock_gettime(CLOCK_MONOTONIC, &started);
    if (limits.mode == GRAPH) start_graph();
    else start_folding();
    catch_signals();
    atexit(at_exit);
    pthread_atfork(NULL, NULL, in_a_child);
    traced = 1, mode = (enum mode)limits.mode;
}
