/* -- what Python reads: numbers of 64 bits ------------------------------------------------
   Each runtime says where they go (`pn_send`), and has memory for them (`pn_zeroed`), or ends. */

static void pn_send(const char *from, size_t bytes);
static void *pn_zeroed(size_t count, size_t size);

static int64_t pn_out[1 << 14];
static size_t pn_filled;

static void pn_flush(void) {
  pn_send((const char *) pn_out, pn_filled * sizeof *pn_out);
  pn_filled = 0;
}

static void pn_put(int64_t word) {
  if (pn_filled == sizeof pn_out / sizeof *pn_out) pn_flush();
  pn_out[pn_filled++] = word;
}

static void pn_put_many(const int64_t *words, int64_t count) {
  for (int64_t k = 0; k < count; k++) pn_put(words[k]);
}

static int64_t *pn_part, pn_part_room;

/* Retired pieces of a fold, as many as fit; how many numbers. */
static int64_t pn_taken(fold *f) {
  for (;;) {
    int64_t taken = fold_pieces(f, pn_part, pn_part_room);
    if (taken > 0 || (!taken && pn_part_room)) return taken;
    free(pn_part);
    pn_part_room = taken < 0 ? -taken : 1 << 14;
    pn_part = pn_zeroed((size_t) pn_part_room, sizeof *pn_part);
  }
}

/* A fold that is finished: its statistics, of which the last is how many numbers its pieces have,
   and these. */
static void pn_put_fold(fold *f) {
  int64_t stats[6];
  fold_stats(f, stats);
  pn_put_many(stats, 6);
  for (int64_t taken, left = stats[5]; left > 0 && (taken = pn_taken(f)) > 0; left -= taken)
    pn_put_many(pn_part, taken);
}
