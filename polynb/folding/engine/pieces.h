/* Retired pieces as flat numbers: the layout is in fold.h. */

/* Room for one more piece of that many numbers; NULL if there is no memory. */
static int64_t *fold_out(fold *f, int64_t numbers) {
  if (f->head && f->head >= f->filled - f->head) { /* what was taken is half of it */
    memmove(f->out, f->out + f->head, (size_t)(f->filled - f->head) * 8);
    f->filled -= f->head;
    f->head = 0;
  }
  if (!fold_room(&f->out, &f->out_room, f->filled + numbers, 8)) return NULL;
  int64_t *o = f->out + f->filled;
  f->filled += numbers;
  *o = numbers;
  return o + 1;
}

static int fold_retire(fold *f, fold_poly *p) {
  int D = f->dims, L = f->outputs;
  int64_t n = (int64_t)1 << p->grown;
  int64_t *o = fold_out(f, 4 + p->grown + n * D + (int64_t)L * (1 + 2 * D));
  if (!o) return 0;
  *o++ = 0;
  *o++ = p->points;
  *o++ = p->grown;
  for (int j = 0; j < p->grown; j++) *o++ = p->axes[j];
  memcpy(o, p->v, (size_t)(n * D) * 8);
  o += n * D;
  for (int j = 0; j < L; j++) {
    const fold_label *a = p->label + j;
    *o++ = a->value;
    for (int i = 0; i < D; i++) {
      *o++ = a->kind[i];
      *o++ = a->kind[i] == FOLD_KNOWN ? a->k[i] : 0;
    }
  }
  f->live--;
  fold_poly_free(f, p);
  return 1;
}

static int fold_retire_box(fold *f) {
  int D = f->dims, L = f->outputs;
  int64_t *o = fold_out(f, 4 + 2 * D + (int64_t)L * (1 + 2 * D));
  if (!o) return 0;
  *o++ = 1;
  *o++ = f->boxed;
  *o++ = 0;
  memcpy(o, f->low, (size_t)D * 8);
  memcpy(o + D, f->high, (size_t)D * 8);
  o += 2 * D;
  for (int j = 0; j < L; j++) {
    *o++ = 0;
    for (int i = 0; i < D; i++) {
      *o++ = FOLD_TOP;
      *o++ = 0;
    }
  }
  return 1;
}

int64_t fold_pieces(fold *f, int64_t *out, int64_t room) {
  int64_t taken = 0;
  while (f->head < f->filled) {
    int64_t numbers = f->out[f->head];
    if (taken + numbers > room) return taken ? taken : -numbers;
    memcpy(out + taken, f->out + f->head, (size_t)numbers * 8);
    taken += numbers;
    f->head += numbers;
  }
  return taken;
}
