//// local buffers in a helper
int o[12], w[16];
static int f(int n) {
  int b[4];
  for (int k = 0; k < 4; k++)  // parallel
    b[k] = n * k;
  return b[3] + b[n & 1];
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = f(i);
  for (int i = 0; i < 12; i++)  // parallel
    *(w + i) = *(o + i) + 1;
  for (int i = 1; i < 12; i++)  // sequential
    *(w + i) += *(w + i - 1) + 1;
  return o[3] + w[5];
}
//// recursion with parameters
int o[12], memo[12], depth;
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int left(int n) {
  int kept;
  if (n == 0) return 1;
  kept = left(n - 1) + n;
  return kept;
}
static int fibm(int n) {
  if (n < 2) return n;
  if (memo[n]) return memo[n];
  return memo[n] = fibm(n - 1) + fibm(n - 2);
}
static int deep(int n) {
  if (n == 0) return depth;
  depth++;
  return deep(n - 1);
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = fib(i % 7);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] += left(i % 5);
  for (int i = 0; i < 12; i++)  // sequential
    o[i] += fibm(i);
  for (int i = 0; i < 12; i++)  // sequential
    o[i] += deep(i & 3);
  return o[3];
}
//// a table that a caller lends to a recursion
int o[12];
static void count(int *t, int n) {
  t[n]++;
  if (n) count(t, n / 2);
}
static void fill(int *t, int n) {
  if (!n) return;
  t[n - 1] = n;
  fill(t, n - 1);
}
int main(void) {
  int t[16] = {0};
  for (int i = 0; i < 12; i++)  // reduction
    count(t, i);
  for (int i = 0; i < 12; i++) {  // sequential
    fill(t, i % 5);
    o[i] = t[3];
  }
  for (int i = 0; i < 12; i++) {  // parallel
    int u[16] = {0};
    count(u, i);
    o[i] = u[1];
  }
  return o[3] + t[1];
}
//// frames that keep something after all
int o[12], *kept, total;
static int held(int n) {
  static int b[4];
  b[n & 3] += n;
  return b[1];
}
static void hand(int n) {
  static int where[8], *p = where;
  int b[4] = {n};
  b[0] += *p;
  *p = b[0];
  o[n] = b[0];
}
struct s { int *at; int v[2]; };
static void lead(struct s t, int n) {
  struct s u = t;
  u.at[n & 1] += n;
  u.v[n & 1] = n;
  o[n] += u.at[0];
}
static void rows(int *r[2], int n) {
  int *mine[2] = {r[0], r[1]};
  mine[n & 1][0] += n;
  *mine[0] += 1;
  o[n] = mine[1][0];
}
int main(void) {
  int cell[2] = {1, 2}, more[2] = {0, 0}, *both[2] = {cell, more};
  struct s t = {cell, {0, 0}};
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = held(i);
  for (int i = 0; i < 12; i++)  // sequential
    hand(i);
  for (int i = 0; i < 12; i++)  // sequential
    lead(t, i);
  for (int i = 0; i < 12; i++)  // sequential
    rows(both, i);
  return o[3];
}
//// frames of rows, records and lengths that vary
#include <string.h>
int o[12], d[12];
struct p { int x, y; };
static int grid(int n) {
  int g[3][4];
  struct p q[4];
  for (int y = 0; y < 3; y++)  // parallel
    for (int x = 0; x < 4; x++)  // parallel
      g[y][x] = n * y + x;
  for (int k = 0; k < 4; k++) {  // parallel
    q[k].x = g[1][k];
    q[k].y = -k;
  }
  return g[2][n & 3] + q[n % 4].x;
}
static int digits(int n) {
  char t[16];
  int k = 0;
  do {  // sequential
    t[k++] = (char)('0' + n % 10);
    n /= 10;
  } while (n);
  t[k] = 0;
  return (int)strlen(t);
}
static int vary(int n) {
  int v[n + 1];
  for (int k = 0; k <= n; k++)  // parallel
    v[k] = k * n;
  return v[n / 2];
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = grid(i);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] += digits(i * 77);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] += vary(i);
  for (int i = 0; i < 12; i++) {  // parallel
    int u[4] = {0}, w[i + 1];
    u[i & 3] = i;
    w[i] = u[2];
    d[i] = u[3] + w[i];
  }
  return o[3] + d[5];
}
//// one buffer outside, filled in part
int o[12], n[12] = {3, 1, 4, 1, 0, 2, 3};
static int fill(int *t, int k) {
  for (int j = 0; j < k; j++)  // parallel
    t[j] = j + k;
  return t[2];
}
int main(void) {
  int t[6] = {0}, u[6] = {0};
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = fill(t, n[i]);
  for (int i = 0; i < 12; i++) {  // sequential
    u[n[i]] = i;
    o[i] += u[3];
  }
  for (int i = 0; i < 12; i++) {  // sequential
    int *v = u;
    v[i & 3] += i;
    o[i] += v[1];
  }
  return o[2];
}
//// variadic calls
#include <stdarg.h>
#include <stdio.h>
int o[12], kept[3], *where;
static int sum(int n, ...) {
  va_list ap;
  int s = 0;
  va_start(ap, n);
  for (int k = 0; k < n; k++)  // sequential
    s += va_arg(ap, int);
  va_end(ap);
  return s;
}
static void add(int n, ...) {
  va_list ap;
  va_start(ap, n);
  for (int k = 0; k < n; k++)
    kept[k] += va_arg(ap, int);
  va_end(ap);
}
static int many(int n, ...) {
  va_list ap;
  int s = 0;
  va_start(ap, n);
  while (n--)
    s = s * 3 + va_arg(ap, int);
  va_end(ap);
  return s;
}
static void through(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int *p = va_arg(ap, int *);
  p[n & 1] += n;
  va_end(ap);
}
static int handed(int n, va_list *ap) {
  int s = 0;
  while (n--)
    s += va_arg(*ap, int);
  return s;
}
static int two(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int s = handed(1, &ap) * 2 + handed(n - 1, &ap);
  va_end(ap);
  return s;
}
static void list(int n, ...) {
  va_list ap;
  va_start(ap, n);
  for (int i = 0; i < 9; i++)  // sequential
    o[i] = handed(1, &ap);
  va_end(ap);
}
int main(void) {
  int mine[2] = {0};
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = sum(3, i, i + 1, i * i);
  for (int i = 0; i < 12; i++)  // reduction
    add(3, i, 1, o[i]);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] += many(8, i, 1, 2, 3, 4, 5, 6, i);
  for (int i = 0; i < 12; i++)  // reduction
    through(i, mine);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] += two(3, i, 1, 2);
  for (int i = 1; i < 12; i++)  // sequential
    o[i] += sum(2, o[i - 1], i);
  list(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  return o[3] + kept[1] + mine[1];
}
//// put into another function
int o[12];
static inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }
int main(void) {
  int s = 1, t[3] = {0};
  for (int i = 0; i < 12; i++) {  // sequential
    t[i % 3] += s;
    s = twice(s) % 7 + 1;
    o[i] = s + t[twice(i) % 3];
  }
  for (int i = 0; i < 12; i++) {  // reduction
    t[0] += i;
    o[i] += twice(i);
  }
  return o[3] + t[0];
}
//// wide characters of rows, and of one
#include <wchar.h>
#include <string.h>
#include <unistd.h>
wchar_t s[6][12], all[40];
char in[6][16] = {"a;b", "bc;", "d", "ef;g", ";", "x;y"}, out[6][16], sw[6][4];
int o[6];
int main(void) {
  for (int i = 0; i < 6; i++) {  // parallel
    wcscpy(s[i], L"abcdefg" + i);
    o[i] = (int)wcslen(s[i]);
  }
  for (int i = 0; i < 6; i++)  // parallel
    memccpy(out[i], in[i], ';', 12);
  for (int i = 1; i < 6; i++)  // sequential
    memccpy(out[i], out[i - 1], ';', 12);
  for (int i = 0; i < 6; i++)  // sequential
    wcscat(all, s[i]);
  for (int i = 1; i < 6; i++)  // sequential
    wcscpy(s[i], s[i - 1] + 1);
  for (int i = 0; i < 6; i++)  // parallel
    swab(in[i], sw[i], 4);
  for (int i = 1; i < 6; i++)  // sequential
    swab(sw[i - 1], sw[i], 4);
  return o[2] + out[3][0] + (int)wcslen(all) + sw[2][1];
}
