/* The runtime of instrumented C text: events become entries of streams, which are folded at once.
   Before this text come PN_DEPTH, trace.h and the engine (fold.h). */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SLOTS = 64, ROUGH = 1 << 20 };
enum { EXITED, TIME, EVENTS, MEMORY, SIGNAL, ITERATIONS, STACK };

struct pn_dep {
  uint32_t source;
  int slot;
  uint32_t over; /* what is read after loops of these depths, which had written it several times */
  uint32_t early; /* and of which their last iterations had not written it */
  uint32_t crossed; /* and what leads to other iterations of loops of these */
  pn_sink sink;
  pn_dep *next;
};

/* A calling context: `first` is the id of its first stream, `base` the dimensions before its own
   loops, `seen` the vector it was entered with last, and `again` the count of its entries there. */
struct pn_context {
  pn_context *parent, *children, *sibling, *recent;
  int number, site, component, base, recursive;
  uint32_t first;
  pn_stream *streams;
  int64_t seen[PN_DEPTH], again;
  uint32_t begun;
};

typedef struct { int block; uintptr_t at; size_t size; } pn_block;

int64_t pn_iv[PN_DEPTH];
uint32_t pn_words[PN_DEPTH];
uint32_t pn_clock = 1, pn_begun[PN_DEPTH], pn_turned[PN_DEPTH], pn_before[PN_DEPTH], pn_several;
int pn_on, pn_site, pn_callback;
pn_ref pn_arguments[16], pn_result;
int64_t pn_events;
volatile int64_t pn_most;
int64_t pn_states[16];
void *pn_files[3];

static pn_static *pn_table;
static pn_range *pn_ranges;
static int *pn_site_depth;
static pn_context pn_root, *pn_now = &pn_root, **pn_active;
static pn_context **pn_contexts;
static pn_stream **pn_by_id;
static size_t pn_context_count, pn_context_room, pn_stream_count, pn_stream_room;
static pn_block *pn_blocks;
static size_t pn_block_count, pn_block_room;
static int pn_widen, pn_give_up, pn_slope, pn_keep, pn_fd;
static int64_t pn_event_limit, pn_kept, pn_keep_limit;
static volatile sig_atomic_t pn_busy, pn_late, pn_ending;
static int pn_last;
static void *pn_reserve;
static char *pn_stack_end; /* beyond it, there is too little of the stack left */

static void pn_finish(int how, int detail);

static void *pn_zeroed(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (!p) pn_finish(MEMORY, 0);
  return p;
}

static void *pn_larger(void *old, size_t *room, size_t size) {
  *room = *room ? 2 * *room : 64;
  void *p = realloc(old, *room * size);
  if (!p) pn_finish(MEMORY, 0);
  return p;
}

/*SHADOW*/

/*WORDS*/

/*BOXES*/

/* -- streams ---------------------------------------------------------------------------- */

static void pn_keep_entry(pn_sink *k, const int64_t *label) {
  size_t width = (size_t) (k->dims + k->outputs);
  if (pn_kept >= pn_keep_limit) return;
  pn_kept++;
  k->kept++;
  if (k->words + (int64_t) width > k->room) {
    k->room = k->room ? 2 * k->room : 64;
    k->raw = realloc(k->raw, (size_t) (k->room + 64) * sizeof *k->raw);
    if (!k->raw) { k->words = k->room = k->kept = 0; pn_finish(MEMORY, 0); }
  }
  memcpy(k->raw + k->words, pn_iv, (size_t) k->dims * sizeof *k->raw);
  memcpy(k->raw + k->words + k->dims, label, (size_t) k->outputs * sizeof *k->raw);
  k->words += (int64_t) width;
}

static inline void pn_add(pn_sink *k, const int64_t *label) {
  pn_events++;
  k->entries++;
  pn_busy = 1;
  if (pn_keep) pn_keep_entry(k, label);
  if (k->box) {
    pn_cover_entry(k);
    pn_busy = 0;
    return;
  }
  int failed = fold_add(k->fold, pn_iv, label);
  if (pn_give_up && !(k->entries & (LOOK - 1))) pn_look(k);
  pn_busy = 0;
  if (__builtin_expect(failed == FOLD_NO_MEMORY, 0)) pn_finish(MEMORY, 0);
}

static void pn_open(pn_sink *k, int dims, int outputs, int widen) {
  k->dims = dims;
  k->outputs = outputs;
  k->fold = fold_new(dims, outputs, widen, pn_give_up ? 4 * dims + 1 : 0, pn_slope);
  if (!k->fold) pn_finish(MEMORY, 0);
}

static inline void pn_event(pn_stream *s, int64_t label) {
  if (!s->sink.fold) {
    pn_static *t = &pn_table[s->instruction];
    pn_open(&s->sink, s->context->base + t->depth, t->outputs, 1);
  }
  pn_last = s->instruction;
  pn_add(&s->sink, &label);
}

static pn_dep *pn_new_dep(pn_stream *s, int slot, uint32_t source) {
  pn_dep *d = s->deps;
  while (d && (d->source != source || d->slot != slot)) d = d->next;
  if (!d) {
    d = pn_zeroed(1, sizeof *d);
    pn_stream *from = pn_by_id[source];
    pn_static *t = &pn_table[s->instruction], *f = &pn_table[from->instruction];
    pn_open(&d->sink, s->context->base + t->depth, from->context->base + f->depth, pn_widen);
    d->source = source;
    d->slot = slot;
    d->next = s->deps;
    s->deps = d;
  }
  return s->recent[slot & 3] = d;
}

static inline pn_dep *pn_dependence(pn_stream *s, int slot, uint32_t source) {
  pn_dep *d = s->recent[slot & 3];
  return d && d->source == source && d->slot == slot ? d : pn_new_dep(s, slot, source);
}

/* Tells of the loops that had written a value several times, and are over. */
static inline void pn_after(pn_dep *d, const pn_ref *r) {
  for (int q = 0; q < 32 && r->over >> q; q++)
    if (r->over >> q & 1 && (q >= d->sink.dims || r->time < pn_begun[q])) {
      d->over |= 1u << q;
      if (!(d->early >> q & 1) && pn_lost(r, q)) d->early |= 1u << q;
    }
}

/* The loop that a value crosses, from one iteration to another. */
static inline uint32_t pn_crosses(const pn_dep *d, const pn_ref *r) {
  for (int q = 0; q < d->sink.dims && q < 32 && r->time >= pn_begun[q]; q++)
    if (r->time < pn_turned[q]) return 1u << q;
  return 0;
}

static inline void pn_depend(pn_stream *s, int slot, const pn_ref *r) {
  int64_t label[PN_DEPTH];
  pn_dep *d = pn_dependence(s, slot, r->w);
  d->crossed |= pn_crosses(d, r);
  if (r->over) pn_after(d, r);
  for (int q = 0; q < PN_DEPTH; q++) label[q] = r->iv[q];
  pn_add(&d->sink, label);
}

/* A load may take values of any number of writers. After so many, all that is kept is whose they
   are: their stream is given up, so any of its instances may be meant. */
static void pn_depend_roughly(pn_stream *s, const pn_ref *r) {
  pn_dep *d = pn_dependence(s, ROUGH, r->w);
  d->crossed |= pn_crosses(d, r);
  pn_sink *k = &d->sink;
  if (r->over) pn_after(d, r);
  size_t bytes = (size_t) k->dims * sizeof *pn_iv;
  if (!k->box) pn_cover(k);
  else if (!memcmp(k->box->last, pn_iv, bytes)) return;
  memcpy(k->box->last, pn_iv, bytes);
  pn_events++;
  k->entries++;
  pn_cover_entry(k);
}

void pn_same(pn_stream *s, int slot, pn_stream *source) {
  if (pn_on) pn_add(&pn_dependence(s, slot, source->id)->sink, pn_iv);
}

void pn_from(pn_stream *s, int slot, const pn_ref *source) {
  if (pn_on && source->w) pn_depend(s, slot, source);
}

void pn_value(pn_stream *s, int64_t value) {
  if (pn_on) pn_event(s, value);
}

void pn_compute(pn_stream *s) {
  if (pn_on) pn_event(s, 0);
}

static inline void pn_reach(pn_stream *s, uintptr_t at, size_t size) {
  if (at < s->low || !s->high) s->low = at;
  if (at + size > s->high) s->high = at + size;
}

void pn_load(pn_stream *s, const void *at, size_t size, int slot) {
  pn_last = s->instruction;
  if (!pn_on || !size) return;
  pn_event(s, (int64_t) (intptr_t) at);
  pn_reach(s, (uintptr_t) at, size);
  uintptr_t unit = (uintptr_t) at >> pn_shift, last = ((uintptr_t) at + size - 1) >> pn_shift;
  const pn_ref *before = NULL;
  for (int most = slot + MOST_SLOTS; unit <= last; unit++) {
    const pn_ref *r = pn_writer(unit);
    if (!r || !r->w) continue;
    if (before && before->w == r->w && before->over == r->over) {
      size_t words = (size_t) pn_by_id[r->w]->sink.dims;
      if (!memcmp(before->iv, r->iv, words * sizeof *r->iv)) continue;
    }
    before = r;
    if (slot < most) pn_depend(s, slot++, r);
    else pn_depend_roughly(s, r);
  }
}

void pn_load_range(pn_stream *s, const void *at, size_t size, int slot) {
  if (size > s->most) s->most = size;
  pn_load(s, at, size, slot);
}

void pn_store(pn_stream *s, const void *at, size_t size) {
  pn_ref by;
  pn_last = s->instruction;
  if (!size) return;
  if (pn_on) {
    pn_event(s, (int64_t) (intptr_t) at);
    pn_reach(s, (uintptr_t) at, size);
    pn_set(&by, s);
  }
  pn_write_range((uintptr_t) at, size, pn_on ? &by : NULL);
}

void pn_store_range(pn_stream *s, const void *at, size_t size) {
  if (size > s->most) s->most = size;
  pn_store(s, at, size);
}

/* -- calling contexts ------------------------------------------------------------------- */

void pn_program(pn_static *instructions, pn_range *components, int *sites) {
  int count = 0;
  pn_table = instructions;
  pn_ranges = components;
  pn_site_depth = sites;
  while (components[count].last >= 0) count++;
  pn_active = pn_zeroed((size_t) count, sizeof *pn_active);
  pn_by_id = pn_larger(NULL, &pn_stream_room, sizeof *pn_by_id);
  pn_stream_count = 1; /* id 0 is nobody */
}

static pn_context *pn_new_context(pn_context *parent, int site, int component, int recursive) {
  pn_context *c = pn_zeroed(1, sizeof *c);
  pn_range range = pn_ranges[component];
  size_t count = (size_t) (range.last - range.first);
  c->parent = parent;
  c->site = site;
  c->component = component;
  c->recursive = recursive;
  c->base = parent->base + pn_site_depth[site] + recursive;
  c->first = (uint32_t) pn_stream_count;
  c->streams = pn_zeroed(count, sizeof *c->streams);
  c->again = -1;
  if (pn_context_count == pn_context_room)
    pn_contexts = pn_larger(pn_contexts, &pn_context_room, sizeof *pn_contexts);
  c->number = (int) ++pn_context_count;
  pn_contexts[pn_context_count - 1] = c;
  for (size_t k = 0; k < count; k++) {
    if (pn_stream_count == pn_stream_room)
      pn_by_id = pn_larger(pn_by_id, &pn_stream_room, sizeof *pn_by_id);
    c->streams[k].id = (uint32_t) pn_stream_count;
    c->streams[k].instruction = range.first + (int) k;
    c->streams[k].context = c;
    pn_by_id[pn_stream_count++] = &c->streams[k];
  }
  c->sibling = parent->children;
  return parent->children = c;
}

static void pn_count_entry(int k) {
  pn_words[k] = (uint32_t) ++pn_iv[k];
  pn_turned[k] = ++pn_clock;
}

/* The context of a call that is not from within its own component. */
static pn_context *pn_outer_entry(int site, int component, int recursive) {
  pn_context *c = pn_now->recent;
  if (!c || c->site != site || c->component != component) {
    c = pn_now->children;
    while (c && (c->site != site || c->component != component)) c = c->sibling;
    if (!c) c = pn_new_context(pn_now, site, component, recursive);
    pn_now->recent = c;
  }
  if (recursive) { /* the library may call it several times in one iteration */
    size_t bytes = (size_t) (c->base - 1) * sizeof *pn_iv;
    int same = c->again >= 0 && !memcmp(c->seen, pn_iv, bytes);
    memcpy(c->seen, pn_iv, bytes);
    pn_iv[c->base - 1] = same ? c->again : -1;
    if (!same) c->begun = ++pn_clock;
    pn_recursive |= ~0u << (c->base - 1 < 32 ? c->base - 1 : 31);
    pn_begun[c->base - 1] = c->begun;
    pn_count_entry(c->base - 1);
    pn_active[component] = c;
  }
  return c;
}

pn_stream *pn_enter(pn_frame *f, int component, int recursive) {
  int site = pn_site ? pn_site : pn_callback;
  pn_context *own = recursive ? pn_active[component] : NULL;
  if ((char *) __builtin_frame_address(0) < pn_stack_end) pn_finish(STACK, 0);
  f->caller = pn_now;
  f->site = pn_site;
  f->callback = pn_callback;
  f->on = pn_on;
  f->component = component;
  f->inner = own != NULL;
  pn_site = pn_callback = 0;
  if (own) {
    memcpy(f->saved, pn_iv, sizeof pn_iv);
    memcpy(f->begun, pn_begun, sizeof pn_begun);
    memcpy(f->turned, pn_turned, sizeof pn_turned);
    pn_count_entry(own->base - 1);
  } else {
    own = pn_outer_entry(site, component, recursive);
  }
  pn_now = f->own = own;
  f->base = own->base;
  if (pn_events >= pn_most) pn_halt();
  return own->streams - pn_ranges[component].first;
}

void pn_leave(pn_frame *f) {
  pn_context *own = f->own;
  if (f->inner) {
    int64_t entries = pn_iv[own->base - 1];
    memcpy(pn_iv, f->saved, sizeof pn_iv);
    memcpy(pn_begun, f->begun, sizeof pn_begun);
    memcpy(pn_turned, f->turned, sizeof pn_turned);
    for (int q = 0; q < PN_DEPTH; q++) pn_words[q] = (uint32_t) pn_iv[q];
    pn_iv[own->base - 1] = entries;
    pn_count_entry(own->base - 1);
  } else if (own->recursive) {
    own->again = pn_iv[own->base - 1];
    pn_active[f->component] = NULL;
  }
  pn_now = f->caller;
  pn_on = f->on;
  pn_callback = f->callback;
}

/*MEMORY*/

/*LIBRARY*/

/*ENDING*/
