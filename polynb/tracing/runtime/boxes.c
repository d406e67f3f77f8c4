/* -- streams with very many pieces -------------------------------------------------------
   The engine gives up on a stream whose polyhedra live in great number; one whose polyhedra retire
   as soon as they come (`if (a[i])`) never has many, but would leave millions of pieces. Where
   streams may be given up, it is given up, too: one box holds all its points. */

enum { MOST_NUMBERS = 1 << 14, LOOK = 1 << 12 };

struct pn_box { int64_t points, low[PN_DEPTH], high[PN_DEPTH], last[PN_DEPTH]; };

/* All retired pieces go into the stream's box. */
static void pn_cover(pn_sink *k) {
  if (!k->box) k->box = pn_zeroed(1, sizeof *k->box);
  for (int64_t taken; (taken = pn_taken(k->fold)) > 0;)
    for (int64_t at = 0; at < taken; at += pn_part[at]) {
      int64_t *piece = pn_part + at, axes = piece[3];
      int64_t corners = piece[1] ? 2 : (int64_t) 1 << axes, *vertex = piece + 4 + axes;
      k->box->points += piece[2];
      for (int64_t v = 0; v < corners; v++, vertex += k->dims)
        for (int q = 0; q < k->dims; q++) {
          if (vertex[q] > k->box->high[q]) k->box->high[q] = vertex[q];
          if (vertex[q] < k->box->low[q]) k->box->low[q] = vertex[q];
        }
    }
}

static inline void pn_cover_entry(pn_sink *k) {
  k->box->points++;
  for (int q = 0; q < k->dims; q++)
    if (pn_iv[q] > k->box->high[q]) k->box->high[q] = pn_iv[q];
}

/* Give up on a stream that has too many pieces already; looked at now and then. */
static void pn_look(pn_sink *k) {
  int64_t stats[6];
  fold_stats(k->fold, stats);
  if (stats[5] > MOST_NUMBERS) pn_cover(k);
}
