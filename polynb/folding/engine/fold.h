/* Folding a stream of points with labels into polyhedra with label functions (TACO'19, section 5):
   the same as polynb/folding/folder.py, piece for piece. No global state but a seed. */
#ifndef POLYNB_FOLD_H
#define POLYNB_FOLD_H

#include <stdint.h>

typedef struct fold fold;

enum { /* why an entry is refused; the entry is not folded, and the stream can go on */
  FOLD_REPEATED = -1,
  FOLD_EARLIER = -2,   /* lexicographically before the entry before it */
  FOLD_TOO_FAR = -3,   /* a coordinate beyond 2**48 */
  FOLD_NO_MEMORY = -4, /* the stream cannot go on */
};

/* give_up: how many polyhedra may live, 0 for any number; slope: of edges, 1 in the paper.
   NULL if there is no memory, or with more than 24 dimensions or 64 outputs. */
fold *fold_new(int dims, int outputs, int widen, long give_up, int slope);

/* One entry: 0, or why it is refused. */
int fold_add(fold *f, const int64_t *iv, const int64_t *label);

/* n entries, all dims of an iv and all outputs of a label side by side. Stops at the first that is
   refused, whose number is then in *bad. */
int fold_add_many(fold *f, int64_t n, const int64_t *ivs, const int64_t *labels, int64_t *bad);

/* n entries of a row: the first at iv, the innermost coordinate of the others one more each. */
int fold_row(fold *f, const int64_t *iv, int64_t n, const int64_t *labels);

/* The end of the stream: all that lives is retired. */
int fold_finish(fold *f);

/* Take retired pieces, in any order; how many numbers were written: whole pieces, 0 if there are
   none, or minus the numbers that the next one needs, if there is no room for it. A piece is

     size (of all of it), approximate, points, g, the g axes it has grown along, innermost first,
     2**g vertices (of an approximate one, 2 corners and g = 0) of dims coordinates each,
     for each output: the label at the first vertex, then for each axis 0, 1 or 2 (not determined,
     known, top) and the coefficient. */
int64_t fold_pieces(fold *f, int64_t *out, int64_t room);

/* entries, live, most live, gave up, rejected, numbers of retired pieces that wait to be taken */
void fold_stats(const fold *f, int64_t *out);

void fold_free(fold *f);

#endif
