//// a library function behind a member
#include <stdlib.h>
struct { int (*f)(void); } s = { rand };
int a[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    a[i] = s.f();
  return a[3] > 2;
}
//// a library function given to a parameter
#include <stdlib.h>
int a[12], b[12];
int apply(int (*f)(void), int k) { return f() + k; }
int one(int (*f)(int), int k) { return f(k); }
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    a[i] = apply(rand, i);
  for (int i = 0; i < 12; i++)  // parallel
    b[i] = one(abs, -i);
  return a[3] > 2;
}
//// a member that data rarely choose of the library
#include <stdlib.h>
struct op { int (*f)(void); } s[2] ;
int a[12] = {1, 2, 3}, o[12];
int three(void) { return 3; }
int main(void) {
  s[0].f = three; s[1].f = rand;
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = s[a[i] > 90].f();
  for (int i = 0; i < 12; i++) {  // sequential
    struct op *p = a[i] > 90 ? &s[1] : &s[0];
    o[i] += p->f();
  }
  return o[3] > 2;
}
//// a local pointer of the library
#include <stdlib.h>
#include <stdio.h>
int a[12] = {1, 2, 3}, o[12];
int main(int argc, char **argv) {
  (void)argv;
  int (*r)(void) = argc > 0 ? rand : NULL, (*p)(int) = putchar, (*q)(const char *) = puts;
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = r();
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = p('a' + i);
  for (int i = 0; i < 3; i++)  // sequential
    q("x");
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = a[i] > 90 ? p(i) : i;
  return o[3] > 2;
}
//// a comparator with side effects
#include <stdlib.h>
int r[4][4] = {{3, 1, 2, 0}, {4, 2, 1, 0}, {9, 8, 7, 6}, {1, 5, 2, 2}}, calls, c[5] = {0, 0, 0, 1};
int up(const void *a, const void *b) { calls = calls * 2 + 1; return *(const int *)a - *(const int *)b; }
int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
int main(void) {
  for (int n = 0; n < 4; n++)  // sequential
    qsort(r[n], 4, sizeof(int), up);
  for (int n = 0; n < 4; n++)  // sequential
    qsort(r[n], 4, sizeof(int), c[n] ? up : down);
  for (int n = 0; n < 4; n++)  // sequential
    qsort(r[n], 4, sizeof(int), c[n] > 9 ? up : down);
  for (int n = 0; n < 4; n++)  // parallel
    qsort(r[n], 4, sizeof(int), down);
  return r[0][0];
}
//// a search whose comparator counts
#include <stdlib.h>
int k[6] = {1, 3, 5, 7, 9, 11}, o[6], steps;
int cmp(const void *a, const void *b) { steps = steps * 3 + 1; return *(const int *)a - *(const int *)b; }
int pure(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  for (int i = 0; i < 6; i++) {  // sequential
    int *p = bsearch(&k[i], k, 6, sizeof(int), cmp);
    o[i] = p ? *p : steps;
  }
  for (int i = 0; i < 6; i++) {  // parallel
    int *p = bsearch(&k[i], k, 6, sizeof(int), pure);
    o[i] = p ? *p : 0;
  }
  return o[2];
}
//// comparators in a struct
#include <stdlib.h>
struct how { int (*cmp)(const void *, const void *); } h;
int r[4][4] = {{3, 1, 2, 0}, {4, 2, 1, 0}}, calls, c[5];
int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int noisy(const void *a, const void *b) { calls = calls * 2 + 1; return *(const int *)b - *(const int *)a; }
int main(void) {
  h.cmp = up;
  if (c[0] > 3) h.cmp = noisy;
  for (int n = 0; n < 4; n++)  // sequential
    qsort(r[n], 4, sizeof(int), h.cmp);
  return r[0][0];
}
//// memory by a pointer to memcpy
#include <string.h>
char v[40] = "abcdefg";
void *(*copy)(void *, const void *, size_t) = memcpy;
int main(void) {
  for (int i = 0; i < 4; i++)  // sequential
    copy(v + 4 * i + 4, v + 4 * i, 4);
  return v[9];
}
//// an allocator behind a member
#include <stdlib.h>
struct pool { void *(*get)(size_t); void (*put)(void *); } pool = {malloc, free};
int o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // parallel
    int *p = pool.get(sizeof *p);
    *p = i;
    o[i] = *p;
    pool.put(p);
  }
  return o[3];
}
//// a callback that the library keeps
#include <stdlib.h>
int n;
void bye(void) { n++; }
int main(void) {
  int (*keep)(void (*)(void)) = atexit;
  for (int i = 0; i < 3; i++)  // sequential
    keep(bye);
  return 0;
}
//// functions handed through two
#include <stdlib.h>
int a[12];
int last(int (*f)(void)) { return f() & 7; }
int mid(int (*f)(void)) { return last(f); }
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    a[i] = mid(rand);
  return a[3];
}
//// functions that data choose once
int total, a[8] = {1, 2, 3, 99}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total = total * 2 + v; }
struct op { int (*f)(int); } s[2] = {{plain}, {adds}};
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    int (*h)(int) = a[i] > 90 ? adds : plain;
    o[i] = h(a[i]);
  }
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = (a[i] > 90 ? adds : plain)(a[i]);
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = s[a[i] > 90].f(a[i]);
  for (int i = 0; i < 8; i++)  // sequential
    if (a[i] > 90) o[i] = adds(a[i]);
  for (int i = 0; i < 8; i++) {  // sequential
    int (*h)(int) = plain;
    if (a[i] > 90) h = adds;
    o[i] = h(a[i]);
  }
  return o[2];
}
//// a library function that data choose once
#include <stdio.h>
int a[8] = {1, 2, 3, 99}, o[8];
int plain(int v) { return v; }
int main(void) {
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = (a[i] > 90 ? putchar : plain)(a[i]);
  for (int i = 0; i < 8; i++)  // sequential
    if (a[i] > 90) putchar(a[i]);
  return o[2];
}
//// a flag in between
#include <stdlib.h>
int total, a[8] = {1, 2, 3, 99}, o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    int f = 0;
    if (a[i] > 90) f = 1;
    if (f) { o[i] = total; total = total * 2 + i; }
  }
  for (int i = 0; i < 8; i++)  // sequential
    if (a[i] > 90) o[i] = rand();
  return o[2];
}
