/* Algorithm 1 at the dimensions of completed loops. What absorbs returns 1, 0 if it is not possible,
   and -1 if there is no memory. */

static int fold_absorb(fold *f, fold_poly *p, fold_poly *q, int axis) {
  int extends = fold_has_grown(p, axis), axes[FOLD_DIMS], count = 0;
  if (extends) {
    if (!fold_extends(f, p, q, axis)) return 0;
  } else {
    count = fold_merges(f, p, q, axis, axes);
    if (count <= 0) return count;
  }
  for (int j = 0; j < f->outputs; j++) {
    int joined = fold_join(f, p, q, j, axis);
    if (joined <= 0) return joined;
  }
  fold_relabel(f, p);
  if (extends) fold_extend(f, p, q);
  else if (!fold_merge(f, p, axes, count)) return -1;
  p->points += q->points;
  fold_poly_free(f, q);
  return 1;
}

static int fold_grow(fold *f, fold_poly *p, int axis) {
  fold_list *w = f->waiting + axis;
  int D = f->dims;
  int64_t half = ((int64_t)1 << p->grown) / 2, place[FOLD_DIMS], count = 1;
  int64_t extension[1], *found = extension;
  if (fold_has_grown(p, axis)) {
    const int64_t *corner = p->v + half * D;
    int64_t height = corner[axis] - p->v[axis];
    for (int i = 0; i < D; i++) place[i] = corner[i] + (corner[i] - p->v[i]) / height;
    extension[0] = fold_find(f, axis, place);
    count = extension[0] >= 0;
  } else {
    count = fold_candidates(f, axis, p->v);
    found = f->found;
  }
  for (int64_t k = 0; k < count; k++) {
    int done = fold_absorb(f, p, w->at[found[k]], axis);
    if (done < 0) return done;
    if (!done) continue;
    w->at[found[k]] = NULL;
    f->live--;
    return 1;
  }
  return (int)(count < 0 ? count : 0);
}

static int fold_promote(fold *f, fold_poly *p, int axis) {
  return axis < 0 ? fold_retire(f, p) : fold_push(f->waiting + axis, p);
}

/* Process the axes whose inner loop is complete, from the inside up to `changed`. 0: no memory. */
static int fold_complete(fold *f, int changed) {
  for (int axis = f->dims - 2; axis >= changed; axis--) {
    fold_list *own = f->absorbers + axis, *inner = own + 1, *w = f->waiting + axis, *kept = &f->kept;
    for (int64_t i = 0; i < inner->size; i++)
      if (!fold_push(w, inner->at[i])) return 0;
    inner->size = kept->size = 0;
    if (own->size && !fold_table(f, axis)) return 0;
    for (int64_t i = 0; i < own->size; i++) {
      int grown = fold_grow(f, own->at[i], axis);
      if (grown < 0) return 0;
      if (!(grown ? fold_push(kept, own->at[i]) : fold_promote(f, own->at[i], axis - 1))) return 0;
    }
    for (int64_t i = 0; i < w->size; i++)
      if (w->at[i] && !fold_push(kept, w->at[i])) return 0;
    w->size = 0;
    fold_list emptied = *own;
    *own = *kept;
    *kept = emptied;
  }
  return 1;
}
