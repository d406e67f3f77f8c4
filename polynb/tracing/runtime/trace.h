/* What instrumented C text calls. PN_DEPTH is defined before: the most dimensions of a vector. */
#include <stddef.h>
#include <stdint.h>

/* Who wrote a value last: the stream (0: nobody who is recorded), its iteration vector, the time,
   and the loops (a bit each, by depth) of which another iteration had written the place before. */
typedef struct { uint32_t w, time, over, iv[PN_DEPTH]; } pn_ref;
typedef struct { int depth, outputs; } pn_static;
typedef struct { int first, last; } pn_range;

typedef struct pn_dep pn_dep;
typedef struct pn_context pn_context;

/* What is folded: labels on vectors. `raw` are the entries themselves, where they are kept. */
typedef struct {
  void *fold;
  int dims, outputs;
  int64_t entries, kept, words, room;
  int64_t *raw;
  struct pn_box *box;
} pn_sink;

/* An instruction in a calling context, and the flow dependences that end in it. */
typedef struct {
  uint32_t id;
  int instruction;
  size_t most; /* the bytes of its largest access, where that is not the same in all */
  uintptr_t low, high; /* the bytes that it reached, high the first behind them */
  uint32_t over; /* the loops (a bit each, by depth) of which it wrote over another iteration's */
  pn_sink sink;
  pn_dep *recent[4], *deps;
  pn_context *context;
} pn_stream;

typedef struct {
  pn_context *caller, *own;
  int site, callback, on, base, inner, component;
  int64_t saved[PN_DEPTH];
  uint32_t begun[PN_DEPTH], turned[PN_DEPTH];
} pn_frame;

#pragma GCC visibility push(default)
/* The iteration vector now, twice: what is folded, and what is remembered. */
extern int64_t pn_iv[PN_DEPTH];
extern uint32_t pn_words[PN_DEPTH];
/* A run ends before its clock begins anew: what is earlier would be later then. */
#define PN_LAST 0xff000000u
/* A clock that loops advance; of each depth, when the loop there began, its iteration, and the one
   before. Of which loops (a bit each) several iterations have written one place. */
extern uint32_t pn_clock, pn_begun[PN_DEPTH], pn_turned[PN_DEPTH], pn_before[PN_DEPTH], pn_several;
extern int pn_on, pn_site, pn_callback;
extern pn_ref pn_arguments[16], pn_result;
extern int64_t pn_events;
extern volatile int64_t pn_most;
/* What the library keeps, as memory: places that stand for its states, and its streams. */
extern int64_t pn_states[16];
extern void *pn_files[3];
/* What a va_list points to, or it itself, as the machine has it. */
#define pn_list(v) \
  ((char *) __builtin_choose_expr(__builtin_classify_type(v) == 5, v, &(v)))

void pn_program(pn_static *instructions, pn_range *components, int *sites);
pn_stream *pn_enter(pn_frame *f, int component, int recursive);
void pn_leave(pn_frame *f);
void pn_load(pn_stream *s, const void *at, size_t size, int slot);
void pn_store(pn_stream *s, const void *at, size_t size);
void pn_load_range(pn_stream *s, const void *at, size_t size, int slot);
void pn_store_range(pn_stream *s, const void *at, size_t size);
void pn_value(pn_stream *s, int64_t value);
void pn_compute(pn_stream *s);
void pn_keep_run(int q);
void pn_same(pn_stream *s, int slot, pn_stream *source);
void pn_from(pn_stream *s, int slot, const pn_ref *source);
void pn_local(int block, const void *at, size_t size, int lasting);
void *pn_malloc(int block, size_t size);
void *pn_calloc(int block, size_t count, size_t size);
void *pn_realloc(int block, void *at, size_t size);
void pn_free(int block, void *at);
void pn_given(int block, const void *at, size_t size);
void *pn_array(int block, size_t count, size_t size, int kind);
size_t pn_text(const char *s);
size_t pn_wide(const void *s);
size_t pn_length(const char *s, size_t most);
size_t pn_first(const char *s, size_t most);
size_t pn_number(const char *s);
size_t pn_compared(const char *a, const char *b, size_t most);
const void *pn_order_in(int descriptor);
const void *pn_order_of(void *stream);
void pn_leave_at_once(int status) __attribute__((noreturn));
void pn_halt(void);
int pn_kill(int process, int number);
int pn_raise(int number);
#pragma GCC visibility pop

static inline void pn_set(pn_ref *r, const pn_stream *s) {
  r->w = pn_on ? s->id : 0;
  r->time = pn_clock;
  r->over = 0;
  for (int q = 0; q < PN_DEPTH; q++) r->iv[q] = pn_words[q];
}

static inline pn_ref pn_argument(const pn_frame *f, int k) {
  pn_ref none = {0};
  return f->site && k < (int) (sizeof pn_arguments / sizeof *pn_arguments) ? pn_arguments[k] : none;
}

static inline void pn_begin(int64_t *v, uint32_t *w) {
  int q = (int) (v - pn_iv);
  *v = *w = 0;
  if (q < 32 && pn_several >> q & 1) pn_keep_run(q);
  pn_begun[q] = pn_turned[q] = pn_before[q] = ++pn_clock;
}

static inline void pn_next(int64_t *v, uint32_t *w) {
  *w = (uint32_t) ++*v;
  pn_before[v - pn_iv] = pn_turned[v - pn_iv];
  pn_turned[v - pn_iv] = ++pn_clock;
  if (pn_events >= pn_most || pn_clock >= PN_LAST) pn_halt();
}

/* No other iteration comes after all: that before was the last one. */
static inline int pn_over(int64_t *v) {
  pn_turned[v - pn_iv] = pn_before[v - pn_iv];
  return 0;
}
