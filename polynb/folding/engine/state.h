/* The state of a stream that is being folded, and the memory of its polyhedra. */
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "fold.h"

#define FOLD_DIMS 24
#define FOLD_OUTPUTS 64
#define FOLD_FAR ((int64_t)1 << 48)
#define FOLD_INLINE 4 /* vertices that a polyhedron holds itself */

typedef __int128 fold_wide;

enum { FOLD_BOTTOM, FOLD_KNOWN, FOLD_TOP };

/* Residuals along some top axes (how many), unless they are lost. `ends`: those at the ends are
   known, along the single `axis`; `partial`: they are of the last slice along that axis only. The
   hash and the sum of the weights are kept modulo a prime and (`..._word`) modulo 2^64. */
typedef struct {
  fold_wide first, second, last;
  int64_t low, high;
  uint64_t total, weight, total_word, weight_word;
  int axes, axis, ends, partial, lost;
} fold_residuals;

/* A label function while its polyhedron grows. */
typedef struct {
  fold_residuals rest;
  int64_t value, *k;
  uint8_t *kind;
} fold_label;

/* An intermediate polyhedron. Bit j of a vertex's number is the face of the j-th of the axes it has
   grown along, innermost first; bit q of `mask` says whether it has grown along axis q. */
typedef struct fold_poly {
  struct fold_poly *next; /* of those that are free */
  int64_t points, *v, room;
  uint32_t mask;
  int grown, axes[FOLD_DIMS];
  fold_label *label;
  int64_t own[]; /* its own vertices, and the labels' numbers */
} fold_poly;

typedef struct {
  fold_poly **at;
  int64_t size, room;
} fold_list;

struct fold {
  int dims, outputs, widen, slope, started, gave_up, broken;
  int64_t give_up, entries, live, most_live, rejected;
  fold_list absorbers[FOLD_DIMS], waiting[FOLD_DIMS], kept;
  fold_poly *free, *point; /* point: of a stream without dimensions */
  int64_t last[FOLD_DIMS];
  /* An entry that moves the end of the row in place: what it has to be, and what has moved. */
  int fast, tops;
  int64_t expect[FOLD_OUTPUTS], moved;
  int64_t low[FOLD_DIMS], high[FOLD_DIMS], boxed;
  /* Retired pieces, as `fold_pieces` gives them, from `head` on. */
  int64_t *out, head, filled, out_room;
  /* Scratch: vertices of a merge, labels of one, corners seen, hash table, candidates. */
  int64_t *vertices, vertices_room;
  fold_poly *result;
  uint8_t *seen;
  int64_t seen_room;
  int64_t *table, table_size, table_room, *found, found_room;
  int8_t *shifts[FOLD_DIMS];
  int64_t shift_count[FOLD_DIMS];
};

/* Room for n things of some size in *p; 0 if there is no memory. */
static int fold_room(void *p, int64_t *room, int64_t n, size_t size) {
  if (n <= *room) return 1;
  int64_t more = *room * 2 > n ? *room * 2 : n < 8 ? 8 : n;
  void *grown = realloc(*(void **)p, (size_t)more * size);
  if (!grown) return 0;
  *(void **)p = grown;
  *room = more;
  return 1;
}

static int fold_push(fold_list *l, fold_poly *p) {
  if (!fold_room(&l->at, &l->room, l->size + 1, sizeof *l->at)) return 0;
  l->at[l->size++] = p;
  return 1;
}

static fold_poly *fold_poly_new(fold *f) {
  fold_poly *p = f->free;
  int D = f->dims, L = f->outputs;
  if (p) {
    f->free = p->next;
    return p;
  }
  size_t numbers = (size_t)FOLD_INLINE * D + (size_t)L * D;
  p = malloc(sizeof *p + numbers * 8 + 16 + (size_t)L * sizeof(fold_label) + (size_t)L * D);
  if (!p) return NULL;
  p->v = p->own;
  p->room = FOLD_INLINE;
  p->label = (fold_label *)(((uintptr_t)(p->own + numbers) + 15) & ~(uintptr_t)15);
  uint8_t *kinds = (uint8_t *)(p->label + L);
  for (int j = 0; j < L; j++) {
    p->label[j].k = p->own + (size_t)FOLD_INLINE * D + (size_t)j * D;
    p->label[j].kind = kinds + (size_t)j * D;
  }
  return p;
}

static void fold_poly_free(fold *f, fold_poly *p) {
  p->next = f->free;
  f->free = p;
}

static void fold_poly_release(fold_poly *p) {
  if (!p) return;
  if (p->v != p->own) free(p->v);
  free(p);
}

/* Room for n vertices. What was there is lost if they have to move. */
static int fold_vertices(const fold *f, fold_poly *p, int64_t n) {
  if (n <= p->room) return 1;
  int64_t *v = malloc((size_t)n * f->dims * 8);
  if (!v) return 0;
  if (p->v != p->own) free(p->v);
  p->v = v;
  p->room = n;
  return 1;
}

static int fold_has_grown(const fold_poly *p, int axis) {
  return p->grown && p->axes[p->grown - 1] == axis;
}
