/* Where a polyhedron looks for what it could absorb, in the order of polynb/folding/search.py. */
#define FOLD_FEW 16 /* polyhedra that are searched one by one, without a table */

static uint64_t fold_hash(const fold *f, const int64_t *point) {
  uint64_t h = 0;
  for (int i = 0; i < f->dims; i++) {
    h = (h ^ (uint64_t)point[i]) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  return h;
}

/* A table of what waits at an axis, by anchor; none if it is few. 0: no memory. */
static int fold_table(fold *f, int axis) {
  const fold_list *w = f->waiting + axis;
  f->table_size = 0;
  if (w->size <= FOLD_FEW) return 1;
  int64_t size = 64;
  while (size < 2 * w->size) size *= 2;
  if (!fold_room(&f->table, &f->table_room, size, 8)) return 0;
  for (int64_t i = 0; i < size; i++) f->table[i] = -1;
  for (int64_t i = 0; i < w->size; i++) {
    uint64_t at = fold_hash(f, w->at[i]->v) & (uint64_t)(size - 1);
    while (f->table[at] >= 0) at = (at + 1) & (uint64_t)(size - 1);
    f->table[at] = i;
  }
  f->table_size = size;
  return 1;
}

/* The number of what waits at a place, -1 if nothing does (what was absorbed is NULL). */
static int64_t fold_find(const fold *f, int axis, const int64_t *place) {
  const fold_list *w = f->waiting + axis;
  size_t bytes = (size_t)f->dims * 8;
  if (!f->table_size) {
    for (int64_t i = 0; i < w->size; i++)
      if (w->at[i] && !memcmp(w->at[i]->v, place, bytes)) return i;
    return -1;
  }
  uint64_t last = (uint64_t)(f->table_size - 1), at = fold_hash(f, place) & last;
  for (; f->table[at] >= 0; at = (at + 1) & last) {
    const fold_poly *p = w->at[f->table[at]];
    if (p && !memcmp(p->v, place, bytes)) return f->table[at];
  }
  return -1;
}

/* All shifts of some number of coordinates, those with the smallest sum first, each sum in
   lexicographic order. 0: no memory. */
static int fold_shifts(fold *f, int inner) {
  if (f->shifts[inner]) return 1;
  int64_t width = 2 * f->slope + 1, all = 1, filled = 0;
  for (int i = 0; i < inner; i++) all *= width;
  int8_t *list = malloc((size_t)((all + 1) * inner) + 1); /* the last is overwritten by each */
  if (!list) return 0;
  for (int sum = 0; sum <= inner * f->slope; sum++)
    for (int64_t number = 0; number < all; number++) {
      int8_t *shift = list + filled * inner;
      int found = 0;
      int64_t rest = number;
      for (int i = inner - 1; i >= 0; i--, rest /= width) {
        shift[i] = (int8_t)(rest % width - f->slope);
        found += shift[i] < 0 ? -shift[i] : shift[i];
      }
      filled += found == sum;
    }
  f->shifts[inner] = list;
  f->shift_count[inner] = all;
  return 1;
}

/* Whether the shift from `corner` to anchor a is tried before that to anchor b. */
static int fold_before(const fold *f, const int64_t *corner, const int64_t *a, const int64_t *b,
                       int axis) {
  int64_t one = 0, other = 0;
  for (int i = axis + 1; i < f->dims; i++) {
    one += llabs(a[i] - corner[i]);
    other += llabs(b[i] - corner[i]);
  }
  if (one != other) return one < other;
  for (int i = axis + 1; i < f->dims; i++)
    if (a[i] != b[i]) return a[i] < b[i];
  return 0;
}

/* The numbers of what waits at search vectors from a corner, into f->found, in the order in which
   they are tried; how many, -1 if there is no memory. */
static int64_t fold_candidates(fold *f, int axis, const int64_t *corner) {
  const fold_list *w = f->waiting + axis;
  int D = f->dims, inner = D - 1 - axis;
  int64_t count = 0, vectors = 1;
  for (int i = 0; i < inner && vectors <= w->size; i++) vectors *= 2 * f->slope + 1;
  if (!fold_room(&f->found, &f->found_room, w->size + 1, 8)) return -1;
  if (f->table_size && vectors <= w->size) {
    if (!fold_shifts(f, inner)) return -1;
    int64_t place[FOLD_DIMS];
    memcpy(place, corner, (size_t)D * 8);
    place[axis]++;
    for (int64_t k = 0; k < f->shift_count[inner]; k++) {
      for (int i = 0; i < inner; i++)
        place[axis + 1 + i] = corner[axis + 1 + i] + f->shifts[inner][k * inner + i];
      int64_t i = fold_find(f, axis, place);
      if (i >= 0) f->found[count++] = i;
    }
    return count;
  }
  for (int64_t i = 0; i < w->size; i++) {
    if (!w->at[i] || !fold_is_search_vector(f, corner, w->at[i]->v, axis)) continue;
    int64_t k = count++;
    while (k && fold_before(f, corner, w->at[i]->v, w->at[f->found[k - 1]]->v, axis)) {
      f->found[k] = f->found[k - 1];
      k--;
    }
    f->found[k] = i;
  }
  return count;
}
