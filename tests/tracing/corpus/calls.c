//// out parameter that is handed on
int a[20], b[20];
static void up(int *s, int x) { *s += x; }
int main(void) {
  int s = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 3 % 7;
  for (int i = 0; i < 20; i++) {  // sequential
    up(&s, a[i]);
    b[i] = s;
  }
  return b[7] & 1;
}
//// struct that is handed on
struct state { int sum, last; } st;
int a[20], b[20];
static void up(struct state *s, int x) {
  s->sum += x;
  s->last = x;
}
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 3 % 7;
  for (int i = 0; i < 20; i++) {  // sequential
    up(&st, a[i]);
    b[i] = st.sum - st.last;
  }
  return b[7] & 1;
}
//// out parameter of its own
int a[20], b[20];
static void twice(int x, int *to) { *to = 2 * x; }
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    int t;
    twice(i, &t);
    twice(t, &b[i]);
  }
  return b[7] & 1;
}
//// frexp and modf of their own
#include <math.h>
double a[16], b[16], w[16];
int e[16];
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    a[i] = i * 1.75;
  for (int i = 0; i < 16; i++)  // parallel
    b[i] = frexp(a[i], &e[i]);
  for (int i = 0; i < 16; i++)  // parallel
    b[i] += modf(a[i], &w[i]);
  return b[3] > 1;
}
//// frexp handed on
#include <math.h>
double a[16], b[16];
int main(void) {
  int e = 1;
  for (int i = 0; i < 16; i++) {  // sequential
    double x = 1.5 * (i + 1) * e;
    b[i] = frexp(x, &e);
  }
  return b[3] > 0.7;
}
//// modf handed on
#include <math.h>
double b[16];
int main(void) {
  double whole = 0;
  for (int i = 0; i < 16; i++)  // sequential
    b[i] = modf(i * 1.3 + whole * 0.5, &whole);
  return b[3] > 0.5;
}
//// frexp into one place
#include <math.h>
double b[16];
int main(void) {
  int e;
  for (int i = 0; i < 16; i++) {  // parallel
    double m = frexp(i * 3.0, &e);
    b[i] = m + e;
  }
  return b[3] > 1;
}
//// a function with a state
int a[20];
static int next(void) {
  static int seed = 7;
  seed = seed * 13 % 101;
  return seed;
}
int main(void) {
  for (int i = 0; i < 20; i++)  // sequential
    a[i] = next();
  return a[7] & 1;
}
//// a function without one
int a[20];
static int cube(int x) { return x * x * x; }
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = cube(i) - cube(i - 1);
  return a[7] & 1;
}
//// value of a call handed on
int a[20], b[20];
static int mix(int x, int y) { return x * 3 + y; }
int main(void) {
  int h = 5;
  for (int i = 0; i < 20; i++) {  // sequential
    h = mix(h, a[i]) & 1023;
    b[i] = h;
  }
  return b[7] & 1;
}
//// recursion
int a[14];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
  for (int i = 0; i < 14; i++)  // parallel
    a[i] = fib(i % 6);
  return a[7] & 1;
}
//// recursion that writes a table
int memo[20], a[20];
static int tri(int n) {
  if (memo[n]) return memo[n];
  return memo[n] = n == 0 ? 1 : n + tri(n - 1);
}
int main(void) {
  for (int i = 0; i < 20; i++)  // sequential
    a[i] = tri(i);
  return a[7] & 1;
}
//// functions by pointers
int a[20], total;
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int adds(int x) { return total += x; }
int main(void) {
  int (*pure[2])(int) = {twice, square};
  int (*one)(int) = adds;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = pure[i % 2](i);
  for (int i = 0; i < 20; i++)  // sequential
    a[i] = one(i);
  return a[7] & 1;
}
//// unnamed arguments
#include <stdarg.h>
int b[20];
static int sum(int n, ...) {
  va_list v;
  int s = 0;
  va_start(v, n);
  for (int k = 0; k < n; k++)  // sequential
    s = s * 2 + va_arg(v, int);
  va_end(v);
  return s & 255;
}
int main(void) {
  int h = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    h = sum(2, h, i);
    b[i] = h;
  }
  return b[7] & 1;
}
//// unnamed arguments of each iteration
#include <stdarg.h>
int b[20], c[20];
static void fill(int *to, int n, ...) {
  va_list v;
  va_start(v, n);
  for (int k = 0; k < n; k++)  // sequential
    to[k] = va_arg(v, int);
  va_end(v);
}
int main(void) {
  for (int i = 0; i < 9; i++)  // parallel
    fill(b + 2 * i, 2, i, 2 * i);
  return b[7] & 1;
}
//// structs by value
struct pair { int x, y; } a[20];
static struct pair step(struct pair p, int by) {
  struct pair q = {p.y, p.x + by};
  return q;
}
int main(void) {
  struct pair p = {1, 2};
  for (int i = 0; i < 20; i++) {  // sequential
    p = step(p, i);
    a[i] = p;
  }
  return a[7].x & 1;
}
//// structs by value of each iteration
struct pair { int x, y; } a[20], b[20];
static struct pair turned(struct pair p) { return (struct pair) {p.y, -p.x}; }
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    a[i].x = i;
    a[i].y = 2 * i;
  }
  for (int i = 0; i < 20; i++)  // parallel
    b[i] = turned(a[i]);
  return b[7].x & 1;
}
//// handed on through a list of initial values
int a[20], b[20];
int main(void) {
  int prev = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    int t[2] = {prev, a[i] + 1};
    prev = t[0] + t[1];
    b[i] = prev;
  }
  return b[7] & 1;
}
//// handed on through a record
struct pair { int x, y; };
int b[20];
int main(void) {
  int prev = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    struct pair p = {.y = prev, .x = i};
    prev = p.x - p.y;
    b[i] = prev;
  }
  return b[7] & 1;
}
//// handed on through a compound literal
struct pair { int x, y; };
int b[20];
int main(void) {
  struct pair p = {0, 1};
  for (int i = 0; i < 20; i++) {  // sequential
    p = (struct pair) {p.y, p.x + i};
    b[i] = p.y;
  }
  return b[7] & 1;
}
//// a callback that counts
#include <stdlib.h>
int v[12], many;
static int by_value(const void *a, const void *b) {
  many++;
  return *(const int *) a - *(const int *) b;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    v[i] = i * 7 % 12;
  for (int i = 0; i < 4; i++)  // reduction
    qsort(v + 3 * i, 3, sizeof *v, by_value);
  return many > 3;
}
//// sorted parts
#include <stdlib.h>
int v[12];
static int by_value(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    v[i] = i * 7 % 12;
  for (int i = 0; i < 4; i++)  // parallel
    qsort(v + 3 * i, 3, sizeof *v, by_value);
  for (int i = 0; i < 9; i++)  // sequential
    qsort(v + i, 3, sizeof *v, by_value);
  return v[0];
}
//// handed on through a list without a name
int b[20];
static int last(const int *v) { return v[0] * 2 + v[1]; }
int main(void) {
  int prev = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    prev = last((int[]) {prev & 7, i});
    b[i] = prev;
  }
  return b[7] & 1;
}
//// handed on through a parameter in memory
int b[20];
static void add(int *to) { *to += 3; }
static int more(int x) {
  add(&x);
  return x & 31;
}
int main(void) {
  int prev = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    prev = more(prev);
    b[i] = prev;
  }
  return b[7] & 1;
}
//// handed on through a record without a name
struct pair { int x, y; };
int b[20];
static int last(struct pair p) { return p.x * 2 + p.y; }
int main(void) {
  int prev = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    prev = last((struct pair) {prev & 7, i});
    b[i] = prev;
  }
  return b[7] & 1;
}
//// tables and buffers that a function keeps
int o[12];
int table(int i) {
  static const int t[4] = {2, 3, 5, 7};
  return t[i & 3];
}
int scratch(int i) {
  static int buf[4];
  for (int k = 0; k < 4; k++)  // parallel
    buf[k] = i + k;
  return buf[i & 3];
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = table(i);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] += scratch(i);
  return o[4] & 1;
}
