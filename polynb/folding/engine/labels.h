/* Label functions of polyhedra that are joined: see polynb/folding/coefficients.py. */

/* Whether the projection onto these axes surely is a product of ranges; -1: no memory. */
static int fold_is_box(fold *f, const fold_poly *p, const int *axes, int count) {
  int D = f->dims, wide = 0, bits[FOLD_DIMS];
  int64_t n = (int64_t)1 << p->grown, low[FOLD_DIMS], high[FOLD_DIMS], corners = 0;
  for (int j = 0; j < count; j++) {
    low[j] = high[j] = p->v[axes[j]];
    for (int64_t k = 1; k < n; k++) {
      int64_t c = p->v[k * D + axes[j]];
      if (c < low[j]) low[j] = c;
      if (c > high[j]) high[j] = c;
    }
    bits[j] = low[j] < high[j] ? wide++ : -1;
  }
  if (wide > p->grown) return 0;
  if (!fold_room(&f->seen, &f->seen_room, (int64_t)1 << wide, 1)) return -1;
  memset(f->seen, 0, (size_t)1 << wide);
  for (int64_t k = 0; k < n; k++) {
    int64_t number = 0;
    for (int j = 0; j < count && number >= 0; j++) {
      int64_t c = p->v[k * D + axes[j]];
      if (c != low[j] && c != high[j]) number = -1;
      else if (bits[j] >= 0 && c == high[j]) number |= (int64_t)1 << bits[j];
    }
    if (number < 0 || f->seen[number]) continue;
    f->seen[number] = 1;
    corners++;
  }
  return corners == (int64_t)1 << wide;
}

/* The residuals of a label along more axes than are top in it, into r; lost if they are those of one
   slice only, unless they are to be compared along that axis. 0: no memory. */
static int fold_residuals_of(fold *f, const fold_poly *p, const fold_label *g, const int *tops,
                             int count, int axis, fold_residuals *r) {
  int D = f->dims, have[FOLD_DIMS], size = 0;
  *r = g->rest;
  for (int q = 0; q < D; q++)
    if (g->kind[q] == FOLD_TOP) have[size++] = q;
  for (int t = 0; t < count; t++) {
    int q = tops[t];
    r->lost |= r->partial >= 0 && (r->partial != axis || g->kind[q] != FOLD_TOP);
    if (r->lost || g->kind[q] == FOLD_TOP) continue;
    int before = size;
    have[size++] = q;
    if (g->kind[q] == FOLD_BOTTOM) {
      fold_along(r, q, p->v[q], p->v[q], 0, p->v[q]);
      continue;
    }
    int box = before ? fold_is_box(f, p, have, size) : 1;
    if (box < 0) return 0;
    r->lost |= !box;
    if (r->lost) continue;
    int64_t low = p->v[q], high = low;
    for (int64_t k = 1; k < (int64_t)1 << p->grown; k++) {
      int64_t c = p->v[k * D + q];
      if (c < low) low = c;
      if (c > high) high = c;
    }
    fold_along(r, q, low, high, g->k[q], p->v[q]);
  }
  return 1;
}

/* The coefficients of the axes inside of one, into r; 0 if they differ and are not to be widened. */
static int fold_inside(const fold *f, const fold_poly *p, const fold_poly *q, const fold_label *a,
                       const fold_label *b, int axis, fold_label *r) {
  for (int i = axis + 1; i < f->dims; i++) {
    int one = a->kind[i], other = b->kind[i];
    r->k[i] = one == FOLD_KNOWN ? a->k[i] : b->k[i];
    r->kind[i] = FOLD_KNOWN;
    if (one == FOLD_TOP || other == FOLD_TOP) {
      r->kind[i] = FOLD_TOP;
    } else if (one == FOLD_BOTTOM && other == FOLD_BOTTOM) {
      r->k[i] = 0; /* a diagonal: 0 is fixed, or what becomes known later would be wrong */
      if (p->v[i] == q->v[i]) r->kind[i] = FOLD_BOTTOM;
    } else if (one == FOLD_KNOWN && other == FOLD_KNOWN && a->k[i] != b->k[i]) {
      if (!f->widen) return 0;
      r->kind[i] = FOLD_TOP;
    }
  }
  return 1;
}

/* Determine the coefficient along the axis that halves are joined along, if its terms are to make up
   `rest`: top if no number does. */
static void fold_determine(fold_label *r, const fold_label *a, int axis, fold_wide rest,
                           int64_t steps) {
  r->k[axis] = a->k[axis];
  r->kind[axis] = FOLD_TOP;
  if (a->kind[axis] == FOLD_BOTTOM) { /* slices side by side, one step apart */
    r->k[axis] = (int64_t)rest;
    if (rest == r->k[axis]) r->kind[axis] = FOLD_KNOWN;
  } else if (a->kind[axis] == FOLD_KNOWN && (fold_wide)a->k[axis] * steps == rest) {
    r->kind[axis] = FOLD_KNOWN;
  }
}

/* The function of p and q together, joined along an axis, into f->result: 1; 0 if there is none, -1
   if there is no memory. */
static int fold_join(fold *f, const fold_poly *p, const fold_poly *q, int j, int axis) {
  const fold_label *a = p->label + j, *b = q->label + j;
  fold_label *r = f->result->label + j;
  fold_residuals other;
  fold_wide shift;
  int D = f->dims, tops[FOLD_DIMS], count = 1;
  int64_t steps = q->v[axis] - p->v[axis];
  memcpy(r->k, a->k, (size_t)axis * 8);
  memcpy(r->kind, a->kind, (size_t)axis);
  if (!fold_inside(f, p, q, a, b, axis, r)) return 0;
  fold_wide rest = (fold_wide)b->value - a->value;
  for (int i = axis + 1; i < D; i++) {
    if (r->kind[i] == FOLD_KNOWN) rest -= (fold_wide)r->k[i] * (q->v[i] - p->v[i]);
    if (r->kind[i] == FOLD_TOP) tops[count++] = i;
  }
  if (count == 1) {
    fold_determine(r, a, axis, rest, steps);
    r->rest = FOLD_POINT;
    if (r->kind[axis] == FOLD_KNOWN) return 1;
    if (!f->widen) return 0;
  } else if (a->kind[axis] != FOLD_TOP) { /* a claim beside a top coefficient */
    if (!fold_residuals_of(f, p, a, tops + 1, count - 1, axis, &r->rest)) return -1;
    if (!fold_residuals_of(f, q, b, tops + 1, count - 1, axis, &other)) return -1;
    if (fold_agree(&r->rest, &other, axis, &shift)) {
      fold_determine(r, a, axis, rest - shift, steps);
      if (r->kind[axis] == FOLD_KNOWN) return 1;
    }
  }
  tops[0] = axis;
  r->kind[axis] = FOLD_TOP;
  if (!fold_residuals_of(f, p, a, tops, count, axis, &r->rest)) return -1;
  if (!fold_residuals_of(f, q, b, tops, count, axis, &other)) return -1;
  fold_sum(&r->rest, &other, rest);
  return 1;
}

static void fold_relabel(const fold *f, fold_poly *p) {
  for (int j = 0; j < f->outputs; j++) {
    const fold_label *r = f->result->label + j;
    memcpy(p->label[j].k, r->k, (size_t)f->dims * 8);
    memcpy(p->label[j].kind, r->kind, (size_t)f->dims);
    p->label[j].rest = r->rest;
  }
}
