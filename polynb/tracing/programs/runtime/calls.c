/* Calls of functions that are not traced: those of shared libraries, through the program's own
   tables of addresses. Each entry that the plan names leads here first (`called`), and on with the
   registers as they were; where only the end of a call says what it did, its return comes by here,
   too (`returned`). What a known function reads, writes and keeps (polynb/tracing/library.py) are
   accesses of the call; of one that is not known it is told that it was called. */
typedef struct {
    int32_t function, handler; /* from 1; that of the table, -1: nothing is known */
    void *target;
} import;

typedef struct {
    int64_t integers[7];      /* rdi, rsi, rdx, rcx, r8, r9; rax */
    int64_t number, back;     /* of the import; where the call returns to */
    int64_t more[];           /* arguments on the stack */
} arguments;

enum { SLOTS = 32, WAITING = 1 << 10, PLACES = 8, LISTED = 64 };

typedef struct {
    uint32_t at;
    int32_t slot, function;
} caller;

typedef struct { /* a call whose end is waited for */
    int64_t a[6], back;
    char *stack;
    caller from;
    int32_t handler, places;
    struct {
        void *at;
        size_t size;
        int counted; /* in what is returned */
    } place[PLACES];
} waiting_call;

static import *imports;
static int64_t import_count;
static uint32_t *call_keys, *call_places; /* of a place: its first key; of each call's keys: the place */
static uint32_t call_count;
static waiting_call *waiting;
static int32_t waiting_count;
static int64_t library_states[32]; /* places that stand for what the library keeps */

static uint32_t place_of(uint32_t at) {
    return at > code_size ? call_places[(at - code_size - 1) / SLOTS] : at;
}

/* Each in a stream of its own; of what goes beyond them nothing is known. */
static void tell(caller *from, enum role role, const void *p, size_t size, int write) {
    int slot = 2 * from->slot++ + write;
    if (slot >= SLOTS - 2) slot = SLOTS - 1, role = UNKNOWN, size = 8;
    if (slot == SLOTS - 1 && from->slot > SLOTS / 2) return;
    if (size) access_at(code_size + 1 + call_keys[from->at] + slot, (uintptr_t)p, size, write, role, from->function);
}

static void tell_read(caller *c, const void *p, size_t n) { tell(c, MEMORY_ACCESS, p, n, 0); }
static void tell_write(caller *c, void *p, size_t n) { tell(c, MEMORY_ACCESS, p, n, 1); }
static void tell_state(caller *c, const void *p, int asks) {
    tell(c, STATE, p, 8, 0);
    if (!asks) tell(c, STATE, p, 8, 1);
}

/* -- formats ------------------------------------------------------------------------------- */

typedef struct {
    const arguments *given;
    int integers, floats, more;
} rest;

static int64_t next_integer(rest *r) {
    return r->integers < 6 ? r->given->integers[r->integers++] : r->given->more[r->more++];
}
static void skip_float(rest *r, int wide) {
    if (wide) r->more += 2 + (r->more & 1);
    else if (r->floats < 8) r->floats++;
    else r->more++;
}

/* One directive: the numbers of its arguments (from 1 behind the format, 0 for none), the bytes of
   a string that are read at most (-1: to its end), the size of what is written. */
typedef struct {
    int at, width, precision, wide, skipped, made;
    long most;
    size_t size;
    char what;
} directive;

/* `2$`, or else the next argument. */
static int argument_of(const char **p, int *next) {
    char *end;
    long found = **p >= '1' && **p <= '9' ? strtol(*p, &end, 10) : 0;
    if (!found || *end != '$') return ++*next;
    *p = end + 1;
    return found < LISTED ? (int)found : LISTED;
}

/* What is behind the next directive; NULL if there is none. */
static const char *next_directive(const char *p, int *next, int scanned, directive *d) {
    *d = (directive){.most = -1, .size = 4};
    if (!(p = strchr(p, '%'))) return NULL;
    int before = *next, at = (p++, argument_of(&p, next)), named = *next == before;
    *next = before;
    for (; *p && strchr("-+ #0'123456789*.hlLqjztm", *p); p++) {
        if (*p == 'm' && !scanned) break; /* the text of errno */
        if (scanned && d->most < 0 && *p >= '1' && *p <= '9') d->most = strtol(p, NULL, 10);
        if (*p == '*' && scanned) d->skipped = 1;
        else if (*p == '*') p++, d->width = argument_of(&p, next), p--;
        if (*p == '.' && p[1] == '*') p += 2, d->precision = argument_of(&p, next), p--;
        else if (*p == '.') d->most = strtol(p + 1, NULL, 10);
        if (*p == 'L') d->wide = 1;
        if (*p == 'm') d->made = 1;
        if (*p == 'h') d->size = d->size == 2 ? 1 : 2;
        if (strchr("lqjztL", *p)) d->size = *p == 'L' ? 16 : 8;
    }
    if (!*p) return NULL;
    d->what = *p;
    if (*p == '[') {
        p += p[1] == '^' ? 2 : 1;
        p = *p ? strchr(p + 1, ']') : NULL;
        if (!p) return NULL;
    }
    if (d->what != '%' && d->what != 'm' && !d->skipped) d->at = named ? at : ++*next;
    return p + 1;
}

static void printed(caller *c, const directive *d, const int64_t *values) {
    const char *s = (const char *)values[d->at];
    long most = d->precision ? (int)values[d->precision] : d->most;
    int wide = d->what == 'S' || (d->what == 's' && d->size == 8);
    if (wide) tell(c, UNKNOWN, library_states, 8, 1);
    else if (d->what == 's') tell_read(c, s, !s ? 0 : most < 0 ? strlen(s) + 1 : strnlen(s, most));
    if (d->what == 'n') tell_write(c, (void *)s, d->size);
}

/* What a format says of strings: those that are printed are read, where scanned ones go is kept
   until it is known how many there were. */
static void look_at_format(caller *c, const arguments *given, int64_t number, waiting_call *scanned) {
    const char *text = (const char *)given->integers[number], *p = text;
    rest r = {given, (int)number + 1, 0, 0};
    int64_t values[LISTED] = {0};
    char floats[LISTED] = {0}; /* 1, or 2 for one of 16 bytes */
    int next = 0, last = 0;
    directive d;
    tell_read(c, text, strlen(text) + 1);
    while ((p = next_directive(p, &next, scanned != NULL, &d))) {
        int three[] = {d.at, d.width, d.precision};
        for (int k = 0; k < 3; k++) if (three[k] > last) last = three[k];
        if (last >= LISTED) {
            tell(c, UNKNOWN, library_states, 8, 1);
            return;
        }
        if (!scanned && d.at && strchr("aAeEfFgG", d.what)) floats[d.at] = 1 + d.wide;
    }
    for (int k = 1; k <= last; k++)
        if (floats[k]) skip_float(&r, floats[k] > 1);
        else values[k] = next_integer(&r);
    for (next = 0, p = text; (p = next_directive(p, &next, scanned != NULL, &d));) {
        if (!d.at) continue;
        if (!scanned) {
            printed(c, &d, values);
            continue;
        }
        if (scanned->places == PLACES) {
            tell(c, UNKNOWN, library_states, 8, 1);
            return;
        }
        int string = strchr("s[", d.what) != NULL && !d.made;
        size_t size = d.made || d.what == 'p' ? sizeof(void *) : d.size;
        if (d.what == 'c' && !d.made) size = (d.size == 8 ? 4 : 1) * (d.most < 0 ? 1 : d.most);
        scanned->place[scanned->places].at = (void *)values[d.at];
        scanned->place[scanned->places].counted = d.what != 'n';
        scanned->place[scanned->places++].size = string ? 0 : size;
    }
}

static void scanned_places(waiting_call *w, int64_t found) {
    for (int k = 0, left = (int)found; k < w->places; k++) {
        if (w->place[k].counted && left-- <= 0) return; /* %n counts for nothing */
        size_t size = w->place[k].size;
        tell_write(&w->from, w->place[k].at, size ? size : strlen(w->place[k].at) + 1);
    }
}

/* -- the calls: call_NUMBER and after_NUMBER come from the table ------------------------------ */

#include "generated"

HOOK void polynb_returned(void);

/* The real function; what is to be told before it runs was told. */
HOOK __attribute__((used)) void *polynb_called(arguments *given) {
    import *i = imports + given->number;
    int error = errno;
    uint32_t at = place(given->back);
    if (mode != FOLD || !traced || stopping || at >= code_size) return i->target;
    if (!call_keys[at]) {
        if ((call_count + 2) * SLOTS >= CALL_KEYS) stop(TOO_MANY, 1);
        call_keys[at] = ++call_count * SLOTS;
        call_places[call_count] = at;
    }
    while (waiting_count && waiting[waiting_count - 1].stack <= (char *)&given->back) waiting_count--;
    waiting_call here = {.from = {at, 0, i->function}, .handler = i->handler};
    memcpy(here.a, given->integers, sizeof here.a);
    if (i->handler < 0) {
        tell(&here.from, UNKNOWN, library_states, 8, 1);
    } else {
        before_call(&here, given);
        if (after_too[i->handler] && waiting_count < WAITING) {
            here.back = given->back, here.stack = (char *)&given->back;
            waiting[waiting_count++] = here;
            given->back = (int64_t)polynb_returned;
        }
    }
    errno = error;
    return i->target;
}

HOOK __attribute__((used)) int64_t polynb_after(int64_t result, char *stack) {
    while (waiting_count > 1 && waiting[waiting_count - 1].stack < stack) waiting_count--;
    waiting_call *w = waiting + --waiting_count;
    int error = errno;
    if (mode == FOLD && traced && !stopping) {
        after_call(w, result);
    }
    errno = error;
    return w->back;
}

#ifdef __x86_64__
__asm__(
    ".text\n"
    "polynb_common:\n"
    "  pushq %rax\n  pushq %r9\n  pushq %r8\n  pushq %rcx\n  pushq %rdx\n  pushq %rsi\n  pushq %rdi\n"
    "  movq %rsp, %rdi\n"
    "  subq $152, %rsp\n"
    "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n"
    "  movups %xmm3, 48(%rsp)\n  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n"
    "  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n  movq %r10, 128(%rsp)\n"
    "  call polynb_called@PLT\n"
    "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n"
    "  movups 48(%rsp), %xmm3\n  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n"
    "  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n  movq 128(%rsp), %r10\n"
    "  addq $152, %rsp\n"
    "  movq %rax, 56(%rsp)\n"
    "  popq %rdi\n  popq %rsi\n  popq %rdx\n  popq %rcx\n  popq %r8\n  popq %r9\n  popq %rax\n"
    "  ret\n"
    ".globl polynb_returned\n.type polynb_returned, @function\n"
    "polynb_returned:\n"
    "  subq $8, %rsp\n  pushq %rax\n  pushq %rdx\n  subq $40, %rsp\n"
    "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n"
    "  movq %rax, %rdi\n  leaq 56(%rsp), %rsi\n"
    "  call polynb_after@PLT\n"
    "  movq %rax, 56(%rsp)\n"
    "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n"
    "  addq $40, %rsp\n  popq %rdx\n  popq %rax\n  ret\n");
extern char polynb_common[] __attribute__((visibility("hidden")));

/* push number; jmp *address of polynb_common */
static void *stub(unsigned char *p, int32_t number) {
    unsigned char code[] = {0x68, 0, 0, 0, 0, 0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};
    char *to = polynb_common;
    memcpy(code + 1, &number, 4), memcpy(code + 7, &to, 8);
    return memcpy(p, code, sizeof code);
}

static void redirect(void) {
    import_count = next_number();
    size_t size = (import_count + 1) * 32;
    imports = pages((import_count + 1) * sizeof *imports);
    unsigned char *stubs = pages(size);
    call_keys = pages(((size_t)code_size + 1) * sizeof *call_keys);
    call_places = pages(CALL_KEYS / SLOTS * sizeof *call_places);
    waiting = pages(WAITING * sizeof *waiting);
    long page = sysconf(_SC_PAGESIZE);
    for (int64_t k = 0; k < import_count; k++) {
        void **slot = (void **)(program_base + next_number());
        imports[k].function = (int32_t)next_number(), imports[k].handler = (int32_t)next_number();
        imports[k].target = *slot;
        char *start = (char *)((uintptr_t)slot & -page);
        if (!*slot || mprotect(start, page, PROT_READ | PROT_WRITE)) continue;
        *slot = stub(stubs + 32 * k, (int32_t)k);
    }
    mprotect(stubs, size, PROT_READ | PROT_EXEC);
}
#else
void polynb_returned(void) {}
static void redirect(void) { next_number(); } /* the plan names none */
#endif
