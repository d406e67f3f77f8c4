/* Folding a stream: see polynb/folding/folder.py, which this is equal to, piece for piece. */
#include "state.h"
#include "residuals.h"
#include "shapes.h"
#include "labels.h"
#include "search.h"
#include "pieces.h"
#include "levels.h"
#include "rows.h"
#include "boxes.h"

/* The outermost axis that differs from the entry before, or why the entry is refused. */
static int fold_changed(const fold *f, const int64_t *iv) {
  int D = f->dims, i = 0;
  for (int q = 0; q < D; q++)
    if (iv[q] > FOLD_FAR || iv[q] < -FOLD_FAR) return FOLD_TOO_FAR;
  if (!f->started) return D ? D - 1 : 0;
  while (i < D && iv[i] == f->last[i]) i++;
  if (i == D) return FOLD_REPEATED;
  return iv[i] > f->last[i] ? i : FOLD_EARLIER;
}

static int fold_insert(fold *f, const int64_t *iv, const int64_t *label) {
  if (f->broken) return FOLD_NO_MEMORY;
  int changed = fold_changed(f, iv);
  if (changed < 0) {
    f->rejected++;
    return changed;
  }
  fold_move_end(f);
  memcpy(f->last, iv, (size_t)f->dims * 8);
  f->started = 1;
  f->entries++;
  f->fast = 0;
  if (!f->gave_up) {
    f->broken = !fold_complete(f, changed);
    if (!f->broken && f->give_up && f->live > f->give_up) fold_give_up(f);
  }
  if (f->gave_up) {
    fold_cover(f, iv);
    f->boxed++;
  } else if (!f->broken) {
    f->broken = !fold_point(f, iv, label);
  }
  return f->broken ? FOLD_NO_MEMORY : 0;
}

int fold_add(fold *f, const int64_t *iv, const int64_t *label) {
  if (f->fast && fold_runs(f, 1, iv, label)) return 0;
  return fold_insert(f, iv, label);
}

int fold_add_many(fold *f, int64_t n, const int64_t *ivs, const int64_t *labels, int64_t *bad) {
  int D = f->dims, L = f->outputs;
  for (int64_t i = 0; i < n;) {
    if (f->fast) i += fold_runs(f, n - i, ivs + i * D, labels + i * L);
    else if (f->gave_up) i += fold_runs_in_box(f, n - i, ivs + i * D);
    if (i == n) break;
    int code = fold_insert(f, ivs + i * D, labels + i * L);
    if (code) {
      *bad = i;
      return code;
    }
    i++;
  }
  return 0;
}

int fold_row(fold *f, const int64_t *iv, int64_t n, const int64_t *labels) {
  int D = f->dims, L = f->outputs;
  int64_t at[FOLD_DIMS];
  memcpy(at, iv, (size_t)D * 8);
  for (int64_t i = 0; i < n; i++) {
    at[D - 1] = iv[D - 1] + i;
    int code = fold_add(f, at, labels + i * L);
    if (code) return code;
    if (f->fast) i += fold_runs(f, n - i - 1, NULL, labels + (i + 1) * L);
    if (!f->gave_up || i + 1 >= n) continue;
    at[D - 1] = iv[D - 1] + n - 1; /* in a box, the end of the row stands for all of it */
    code = fold_add(f, at, labels + (n - 1) * L);
    if (code) return code;
    f->entries += n - 2 - i;
    f->boxed += n - 2 - i;
    break;
  }
  return 0;
}

int fold_finish(fold *f) {
  fold_move_end(f);
  f->fast = 0;
  if (f->broken) return FOLD_NO_MEMORY;
  if (f->gave_up) return fold_retire_box(f) ? 0 : FOLD_NO_MEMORY;
  if (!f->entries) return 0;
  if (!f->dims) {
    fold_poly *p = f->point;
    f->point = NULL;
    return !p || fold_retire(f, p) ? 0 : FOLD_NO_MEMORY;
  }
  f->broken = !fold_complete(f, 0);
  fold_list *l = f->absorbers;
  for (int64_t i = 0; i < l->size && !f->broken; i++) f->broken = !fold_retire(f, l->at[i]);
  l->size = 0;
  return f->broken ? FOLD_NO_MEMORY : 0;
}

void fold_stats(const fold *f, int64_t *out) {
  int64_t found[] = {f->entries + f->moved, f->live,     f->most_live,
                     f->gave_up,            f->rejected, f->filled - f->head};
  memcpy(out, found, sizeof found);
}

fold *fold_new(int dims, int outputs, int widen, long give_up, int slope) {
  if (dims < 0 || dims > FOLD_DIMS || outputs < 0 || outputs > FOLD_OUTPUTS) return NULL;
  if (slope < 0 || slope > 8 || give_up < 0) return NULL;
  fold *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->dims = dims;
  f->outputs = outputs;
  f->widen = widen;
  f->give_up = give_up;
  f->slope = slope;
  f->result = fold_poly_new(f);
  if (f->result) return f;
  free(f);
  return NULL;
}

void fold_free(fold *f) {
  if (!f) return;
  for (int axis = 0; axis < 2 * FOLD_DIMS; axis++) {
    fold_list *l = axis < FOLD_DIMS ? f->absorbers + axis : f->waiting + axis - FOLD_DIMS;
    for (int64_t i = 0; i < l->size; i++) fold_poly_release(l->at[i]);
    free(l->at);
  }
  while (f->free) {
    fold_poly *p = f->free;
    f->free = p->next;
    fold_poly_release(p);
  }
  for (int i = 0; i < FOLD_DIMS; i++) free(f->shifts[i]);
  fold_poly_release(f->point);
  fold_poly_release(f->result);
  free(f->kept.at);
  free(f->out);
  free(f->vertices);
  free(f->seen);
  free(f->table);
  free(f->found);
  free(f);
}
