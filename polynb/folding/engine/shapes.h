/* When two elementary polyhedra make one: see polynb/folding/polyhedra.py. */

/* The number of p's vertex that a vertex numbered by more axes stands for. */
static int64_t fold_spread(const fold_poly *p, const int *axes, int count, int64_t k) {
  if (p->grown == count) return k;
  int64_t found = 0;
  for (int j = 0, bit = 0; j < count; j++)
    if (bit < p->grown && p->axes[bit] == axes[j]) found |= (k >> j & 1) << bit++;
  return found;
}

/* Whether q is where the edges of p lead along the axis that p has grown along last. */
static int fold_extends(const fold *f, const fold_poly *p, const fold_poly *q, int axis) {
  int D = f->dims;
  if (q->mask & ~(p->mask & ~((uint32_t)1 << axis))) return 0;
  int64_t half = (int64_t)1 << (p->grown - 1);
  int64_t height = p->v[half * D + axis] - p->v[axis];
  for (int64_t k = 0; k < half; k++) {
    const int64_t *low = p->v + k * D, *high = p->v + (half + k) * D;
    const int64_t *there = q->v + fold_spread(q, p->axes, p->grown - 1, k) * D;
    for (int i = 0; i < D; i++) {
      int64_t edge = high[i] - low[i];
      int64_t step = edge == 0 ? 0 : edge == height ? 1 : edge / height;
      if (there[i] != high[i] + step) return 0;
    }
  }
  return 1;
}

static void fold_extend(const fold *f, fold_poly *p, const fold_poly *q) {
  int D = f->dims;
  int64_t half = (int64_t)1 << (p->grown - 1);
  for (int64_t k = 0; k < half; k++)
    memcpy(p->v + (half + k) * D, q->v + fold_spread(q, p->axes, p->grown - 1, k) * D,
           (size_t)D * 8);
}

/* Whether coordinate q of a face (the vertices whose bit `fixed` is `side`; all, if it is -1) is an
   affine function of the coordinates outside of it. */
static int fold_is_flat(const fold *f, const int64_t *v, const int *axes, int count, int q,
                        int fixed, int side) {
  int D = f->dims;
  int64_t n = (int64_t)1 << count, k[FOLD_DIMS] = {0}, edge[FOLD_DIMS];
  for (int j = 0; j < count; j++) {
    int outer = axes[j];
    if (outer >= q || j == fixed) continue;
    int64_t at = 0;
    for (;; at++) {
      if (at == n) return 0;
      if (at >> j & 1 || (fixed >= 0 && (at >> fixed & 1) != side)) continue;
      const int64_t *low = v + at * D, *high = v + (at | (int64_t)1 << j) * D;
      if (high[outer] == low[outer]) continue;
      for (int i = 0; i < D; i++) edge[i] = high[i] - low[i];
      break;
    }
    int64_t rest = edge[q];
    for (int i = outer + 1; i < q; i++) rest -= k[i] * edge[i];
    if (rest % edge[outer]) return 0;
    k[outer] = rest / edge[outer];
  }
  int first = 1;
  int64_t constant = 0;
  for (int64_t at = 0; at < n; at++) {
    if (fixed >= 0 && (at >> fixed & 1) != side) continue;
    int64_t rest = v[at * D + q];
    for (int i = 0; i < q; i++) rest -= k[i] * v[at * D + i];
    if (first) constant = rest;
    if (rest != constant) return 0;
    first = 0;
  }
  return 1;
}

static int fold_flat_sides(const fold *f, const int64_t *v, const int *axes, int count, int axis) {
  for (int q = axis + 1; q < f->dims; q++) {
    int bit = -1;
    for (int j = 0; j < count; j++)
      if (axes[j] == q) bit = j;
    if (!fold_is_flat(f, v, axes, count, q, bit, 0)) return 0;
    if (bit >= 0 && !fold_is_flat(f, v, axes, count, q, bit, 1)) return 0;
  }
  return 1;
}

static int fold_is_search_vector(const fold *f, const int64_t *a, const int64_t *b, int axis) {
  if (b[axis] - a[axis] != 1) return 0;
  for (int i = 0; i < axis; i++)
    if (a[i] != b[i]) return 0;
  for (int i = axis + 1; i < f->dims; i++)
    if (b[i] - a[i] > f->slope || a[i] - b[i] > f->slope) return 0;
  return 1;
}

/* Put p and q side by side along an axis that neither has grown along, into the scratch vertices:
   how many axes they have grown along together (in `axes`, with the new one), 0 if they do not make
   one polyhedron, -1 if there is no memory. */
static int fold_merges(fold *f, const fold_poly *p, const fold_poly *q, int axis, int *axes) {
  int D = f->dims, count = 0, moved = 1;
  uint32_t mask = p->mask | q->mask;
  for (int i = D - 1; i > axis; i--)
    if (mask >> i & 1) axes[count++] = i;
  int64_t n = (int64_t)1 << count;
  if (!fold_room(&f->vertices, &f->vertices_room, 2 * n * D, 8)) return -1;
  int64_t *low = f->vertices, *high = low + n * D;
  for (int64_t k = 0; k < n; k++) {
    const int64_t *a = p->v + fold_spread(p, axes, count, k) * D;
    const int64_t *b = q->v + fold_spread(q, axes, count, k) * D;
    if (!fold_is_search_vector(f, a, b, axis)) return 0;
    memcpy(low + k * D, a, (size_t)D * 8);
    memcpy(high + k * D, b, (size_t)D * 8);
    for (int i = axis + 1; i < D; i++) moved &= b[i] - a[i] == high[i] - low[i];
  }
  axes[count++] = axis;
  return moved || fold_flat_sides(f, f->vertices, axes, count, axis) ? count : 0;
}

static int fold_merge(const fold *f, fold_poly *p, const int *axes, int count) {
  int64_t n = (int64_t)1 << count;
  if (!fold_vertices(f, p, n)) return 0;
  memcpy(p->v, f->vertices, (size_t)n * f->dims * 8);
  memcpy(p->axes, axes, (size_t)count * sizeof *axes);
  p->grown = count;
  p->mask = 0;
  for (int j = 0; j < count; j++) p->mask |= (uint32_t)1 << axes[j];
  return 1;
}
