//// a matrix through macros
#define N 6
#define AT(m, i, j) (m)[(i) * N + (j)]
#define FOR(i) for (int i = 0; i < N; i++)
#define ADD(s, x) ((s) += (x))
double a[N * N], b[N * N], c[N * N], tr;
int main(void) {
  FOR(i) FOR(j) AT(a, i, j) = AT(b, i, j) = i - j;
  FOR(i) {  // parallel
    FOR(j) {  // parallel
      double s = 0;
      for (int k = 0; k < N; k++)  // reduction
        ADD(s, AT(a, i, k) * AT(b, k, j));
      AT(c, i, j) = s;
    }
  }
  for (int i = 0; i < N; i++)  // reduction
    ADD(tr, AT(c, i, i));
  return tr > 0;
}
//// macros that hide what is handed on
#define NEXT(s) ((s) = (s) * 5 + 1)
#define KEEP(t, v) do { if ((v) < 50) t = (v); } while (0)
#define LAST last
#define WHEN(c) if (c)
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  unsigned s = 1;
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = (int)(NEXT(s) & 15);
  int t = 0, last = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    KEEP(t, a[i]);
    o[i] += t;
  }
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] += LAST;
    LAST = a[i];
  }
  for (int i = 0; i < 12; i++) {  // sequential
    WHEN(a[i] > 90) last = a[i];
    o[i] += last;
  }
  return o[3] & 1;
}
//// macros that hide rare stores
#define RARE(v, x) ((v) > 90 ? (void)(total += (x)) : (void)0)
#define CARRY(i) (a[i] > 90 && (o[(i) + 1] = 7))
#define PREV(i) (a[i] > 90 ? o[(i) - 1] : 0)
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[13], total, p[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    p[i] = total;
    RARE(a[i], i);
  }
  for (int i = 0; i < 12; i++) {  // sequential
    p[i] = o[i];
    CARRY(i);
  }
  for (int i = 1; i < 12; i++) {  // sequential
    o[i] = a[i] + PREV(i);
  }
  return p[3] & 1;
}
//// do-while-0 macros and swaps
#define SWAP(x, y) do { int t_ = (x); (x) = (y); (y) = t_; } while (0)
#define MAX2(x, y) ((x) > (y) ? (x) : (y))
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
int a[16] = {9, 4, 7, 1, 15, 2, 8, 3, 12, 6}, b[16], m;
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    SWAP(a[i], a[15 - i]);
  for (int i = 0; i < 15; i++)  // sequential
    SWAP(a[i], a[i + 1]);
  for (int i = 0; i < 16; i++)  // parallel
    b[i] = MAX2(a[i], 5);
  for (int i = 0; i < 16; i++)  // parallel
    a[i] = CLAMP(b[i], 2, 9);
  for (int i = 0; i < 16; i++)  // reduction
    m = MAX2(m, a[i]);
  for (int i = 1; i < 16; i++)  // sequential
    b[i] = CLAMP(a[i], b[i - 1], 100);
  return m;
}
//// a macro with two meanings
#ifndef FAST
#define ADD(x) (void)((x) > 90 && (total += (x)))
#else
#define ADD(x) (void)(x)
#endif
#ifdef SMALL
#define N 8
#else
#define N 12
#endif
int a[N] = {1, 2, 3}, o[N], total;
int main(void) {
  for (int i = 0; i < N; i++) {  // sequential
    o[i] = total;
    ADD(a[i]);
  }
  for (int i = 0; i < N; i++)  // parallel
    o[i] = a[i] + N;
  return o[3] & 1;
}
//// a macro that is defined anew
#define F(x) (x) + 1
int a[12] = {1, 2, 3}, o[12], t;
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = F(a[i]);
#undef F
#define F(x) (t = t * 2 + (x))
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = F(a[i]);
#undef F
#define F(x) (a[i] > 90 ? t : (x))
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = F(a[i]);
    t = o[i];
  }
  return o[1];
}
//// pasted and variadic macros
#include <stdio.h>
#define CELL(n) row##n[i]
#define SET(d, ...) d = __VA_ARGS__
#define LOG(...) do { if (a[i] > 90) printf(__VA_ARGS__); } while (0)
int a[12] = {1, 2, 3}, row1[13], row2[13];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    SET(CELL(1), a[i] + 1);
  for (int i = 1; i < 12; i++)  // sequential
    SET(CELL(2), row2[i - 1] + CELL(1));
  for (int i = 0; i < 12; i++) {  // sequential
    CELL(2) = a[i];
    LOG("%d\n", a[i]);
  }
  return row2[3];
}
//// macros over lines
#define PUT(p, v) \
  do { \
    *(p) = (v); \
    (p)++; \
  } while (0)
#define PICK(c, x, y) \
  ((c) \
     ? (x) \
     : (y))
int a[12] = {1, 2, 3}, o[13];
int main(void) {
  int *p = o;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i]) PUT(p, a[i]);
  for (int i = 0; i < 12; i++)  // sequential
    o[i + 1] = PICK(a[i] > 90,
                    o[i],
                    a[i]);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = PICK(a[i] > 2, 7, a[i]);
  return o[1];
}
