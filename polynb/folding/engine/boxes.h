/* A stream that was given up: a box around all its points (section 5.2.4). */

static void fold_cover(fold *f, const int64_t *point) {
  for (int i = 0; i < f->dims; i++) {
    if (point[i] > f->high[i]) f->high[i] = point[i];
    if (point[i] < f->low[i]) f->low[i] = point[i];
  }
}

static void fold_give_up(fold *f) {
  for (int axis = 0; axis < 2 * f->dims; axis++) {
    fold_list *l = axis < f->dims ? f->absorbers + axis : f->waiting + axis - f->dims;
    for (int64_t i = 0; i < l->size; i++) {
      fold_poly *p = l->at[i];
      for (int64_t k = 0; k < (int64_t)1 << p->grown; k++) fold_cover(f, p->v + k * f->dims);
      f->boxed += p->points;
      fold_poly_free(f, p);
    }
    l->size = 0;
  }
  f->live = 0;
  f->gave_up = 1;
}

/* How many of n entries follow one another in the rows of a box, where only its ends can move. */
static inline __attribute__((always_inline)) int64_t fold_run_in_box(
    fold *f, int64_t n, const int64_t *ivs, int D) {
  int64_t end = f->last[D - 1], i = 0;
  for (; i < n; i++) {
    int64_t same = 1, c = ivs[i * D + D - 1];
    for (int q = 0; q < D - 1; q++) same &= ivs[i * D + q] == f->last[q];
    if (!same || c <= end || c > FOLD_FAR) break;
    end = c;
  }
  if (i && end > f->high[D - 1]) f->high[D - 1] = end;
  f->last[D - 1] = end;
  f->entries += i;
  f->boxed += i;
  return i;
}

static int64_t fold_runs_in_box(fold *f, int64_t n, const int64_t *ivs) {
  if (f->dims == 0) return 0;
  if (f->dims == 2) return fold_run_in_box(f, n, ivs, 2);
  if (f->dims == 3) return fold_run_in_box(f, n, ivs, 3);
  return fold_run_in_box(f, n, ivs, f->dims);
}
