/* The innermost dimension: the polyhedron of the row, whose end most entries only move. */

/* Account for the points that moved the end of the row in place. */
static void fold_move_end(fold *f) {
  if (!f->moved) return;
  fold_poly *row = f->absorbers[f->dims - 1].at[0];
  row->v[2 * f->dims - 1] = f->last[f->dims - 1];
  row->points += f->moved;
  f->entries += f->moved;
  f->moved = 0;
}

/* What an entry has to be that moves the row's end in place. */
static void fold_expect(fold *f, const fold_poly *row) {
  int in = f->dims - 1;
  f->fast = f->tops = 0;
  if (f->give_up && f->live > f->give_up) return;
  int64_t steps = row->v[2 * f->dims - 1] + 1 - row->v[in];
  for (int j = 0; j < f->outputs; j++) {
    const fold_label *a = row->label + j;
    if (a->kind[in] == FOLD_TOP) {
      f->tops = 1;
      continue;
    }
    fold_wide next = a->value + (fold_wide)a->k[in] * steps;
    f->expect[j] = (int64_t)next;
    if (next != f->expect[j]) return;
  }
  f->fast = 1;
}

/* Move the end of the row by as many of n entries as move it, in order (`ivs` NULL: one step each).
   Called with constant dims and outputs where it has to be fast. */
static inline __attribute__((always_inline)) int64_t fold_run(
    fold *f, int64_t n, const int64_t *ivs, const int64_t *labels, int D, int L) {
  const fold_poly *row = f->absorbers[D - 1].at[0];
  int64_t end = f->last[D - 1], expect[FOLD_OUTPUTS], i = 0;
  for (int j = 0; j < L; j++) expect[j] = f->expect[j];
  for (; i < n && end < FOLD_FAR; i++, end++) {
    int64_t same = 1;
    if (ivs) {
      for (int q = 0; q < D - 1; q++) same &= ivs[i * D + q] == f->last[q];
      same &= ivs[i * D + D - 1] == end + 1;
    }
    for (int j = 0; j < L; j++)
      same &= labels[i * L + j] == expect[j] || row->label[j].kind[D - 1] == FOLD_TOP;
    if (!same) break;
    int out_of_range = 0;
    for (int j = 0; j < L; j++) {
      fold_label *a = row->label + j;
      if (a->kind[D - 1] != FOLD_TOP) {
        out_of_range |= __builtin_add_overflow(expect[j], a->k[D - 1], &expect[j]);
        continue;
      }
      uint64_t word = fold_weight(D - 1, end + 1), w = fold_mod(word);
      a->rest.last = (fold_wide)labels[i * L + j] - a->value;
      a->rest.high = end + 1;
      a->rest.total = fold_mod(a->rest.total + fold_times(fold_mod_wide(a->rest.last), w));
      a->rest.weight = fold_mod(a->rest.weight + w);
      a->rest.total_word += (uint64_t)a->rest.last * word;
      a->rest.weight_word += word;
    }
    if (out_of_range) {
      f->fast = 0;
      i++, end++;
      break;
    }
  }
  for (int j = 0; j < L; j++) f->expect[j] = expect[j];
  f->last[D - 1] = end;
  f->moved += i;
  return i;
}

static int64_t fold_runs(fold *f, int64_t n, const int64_t *ivs, const int64_t *labels) {
  int D = f->dims, L = f->outputs;
  if (L == 0 && D == 2) return fold_run(f, n, ivs, labels, 2, 0);
  if (L == 1 && D == 1) return fold_run(f, n, ivs, labels, 1, 1);
  if (L == 1 && D == 2) return fold_run(f, n, ivs, labels, 2, 1);
  if (L == 1 && D == 3) return fold_run(f, n, ivs, labels, 3, 1);
  if (L == 2 && D == 2) return fold_run(f, n, ivs, labels, 2, 2);
  if (L == 3 && D == 3) return fold_run(f, n, ivs, labels, 3, 3);
  return fold_run(f, n, ivs, labels, D, L);
}

/* A point: absorbed by its row's polyhedron, or the first of another. 0: no memory. */
static int fold_point(fold *f, const int64_t *iv, const int64_t *label) {
  int D = f->dims, in = D - 1;
  fold_poly *p = fold_poly_new(f);
  if (!p) return 0;
  p->points = 1;
  p->mask = 0;
  p->grown = 0;
  memcpy(p->v, iv, (size_t)D * 8);
  for (int j = 0; j < f->outputs; j++) {
    fold_label *a = p->label + j;
    a->value = label[j];
    a->rest = FOLD_POINT;
    memset(a->kind, FOLD_BOTTOM, (size_t)D);
  }
  if (!D) {
    f->point = p;
    f->live = f->most_live = 1;
    return 1;
  }
  fold_list *rows = f->absorbers + in;
  if (rows->size) {
    fold_poly *row = rows->at[0];
    const int64_t *end = row->v + (row->grown ? D : 0);
    if (!memcmp(row->v, iv, (size_t)in * 8) && iv[in] == end[in] + 1) {
      int done = fold_absorb(f, row, p, in);
      if (done < 0) return 0;
      if (done) {
        fold_expect(f, row);
        return 1;
      }
    }
    rows->size = 0;
    if (!fold_promote(f, row, in - 1)) return 0;
  }
  if (!fold_push(rows, p)) return 0;
  if (++f->live > f->most_live) f->most_live = f->live;
  return 1;
}
