//// what was handed on, and could be counted
#include <stdio.h>
#include <string.h>
int a[20], b[20], g; struct { int x, y; } s;
int main(void) {
  for (int i = 0; i < 20; i++) a[i] = 2 * i;  // parallel
  int prev = -2;
  for (int i = 0; i < 20; i++) { b[i] = a[i] - prev; prev = a[i]; }  // sequential
  for (int i = 0; i < 20; i++) { b[i] = g; g = a[i]; }  // sequential
  for (int i = 0; i < 20; i++) { b[i] = s.y; s.y = a[i]; }  // sequential
  for (int i = 1; i < 20; i++) b[i] = b[i - 1] + a[1];  // sequential
  for (int i = 1; i < 20; i++) memcpy(&b[i], &b[i - 1], 4);  // sequential
  printf("%d %d\n", b[19], prev);
}
//// choices that rise by one
#include <stdio.h>
int a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++) a[i] = 3 * i;  // parallel
  int m = -1, mi = 0, c = 0, d = 0;
  for (int i = 0; i < 20; i++) { m = a[i] > m ? a[i] : m; b[i] = m; }  // sequential
  for (int i = 1; i < 20; i++) { if (a[i] > a[mi]) mi = i; b[i] = mi; }  // sequential
  for (int i = 0; i < 20; i++) { c = a[i] >= 0 ? c + 1 : c; b[i] = c; }  // sequential
  for (int i = 0; i < 20; i++) { d += a[i] >= 0; b[i] += d; }  // sequential
  for (int i = 0; i < 20; i++) { d -= a[i] / 3 == i; b[i] += d; }  // sequential
  printf("%d %d %d %d\n", m, mi, c, d);
}
//// counts in bytes, texts and copies
#include <stdio.h>
#include <string.h>
char text[40]; int v[20], w[20]; union { int i; unsigned char c[4]; } u;
int main(void) {
  for (int i = 0; i < 20; i++) { text[i] = 'a'; v[i] = strlen(text); }  // sequential
  for (int i = 0; i < 20; i++) { w[i] = u.c[0]; u.i = i + 1; }  // sequential
  for (int i = 0; i < 20; i++) { unsigned char k = u.c[0]; u.c[0] = k + 1; w[i] += k; }  // sequential
  int x = 0, y;
  for (int i = 0; i < 20; i++) { memcpy(&y, &x, sizeof x); w[i] = y; y++; memmove(&x, &y, sizeof y); }  // sequential
  for (int i = 0; i < 19; i++) memmove(&v[i + 1], &v[i], sizeof *v);  // sequential
  printf("%d %d %d\n", v[19], w[19], x);
}
//// lists whose nodes are neighbours
#include <stdio.h>
#include <stdlib.h>
struct n { struct n *next; int v; } *head, **tail = &head, *last;
int main(void) {
  for (int i = 0; i < 12; i++) { struct n *x = calloc(1, sizeof *x); x->v = i; *tail = x; tail = &x->next; }  // sequential
  int s = 0;
  struct n *p = head;
  for (int i = 0; i < 12; i++) { s += p->v; p = p->next; }  // sequential
  struct n pool[12];
  for (int i = 0; i < 12; i++) { pool[i].v = i; pool[i].next = last; last = &pool[i]; }  // sequential
  p = last;
  for (int i = 0; i < 12; i++) { p->v++; p = p->next; }  // sequential
  printf("%d %d\n", s, pool[3].v);
}
//// ways that are decided one iteration before
#include <stdio.h>
int a[30], b[30], st;
int main(void) {
  for (int i = 0; i < 30; i++) a[i] = i;  // parallel
  int e = 30;
  for (int i = 0; i < e; i++) { b[i] = e; if (a[i] > 100) e--; }  // sequential
  for (int i = 0; i < 30; i++) { switch (st) { case 0: st = 1; b[i] = 1; break; case 1: st = 0; b[i] = 2; } }  // sequential
  int on = 1;
  for (int i = 0; i < 30; i++) { if (on) b[i] = i; on = a[i] >= 0; }  // sequential
  int k = 0;
  for (int i = 0; i < 30; i++) {  // sequential
    while (k < a[i]) k++;  // sequential
    b[i] = k; }
  int j = 0;
  for (int i = 0; i < 30; i++) { if (a[j] == i) j++; }  // sequential
  printf("%d %d %d\n", b[29], k, j);
}
//// values that few iterations hand on
#include <stdio.h>
int a[200];
int main(void) {
  for (int i = 0; i < 200; i++) a[i] = i & 15;  // parallel
  for (int i = 0; i < 150; i++) a[i + 50] = a[i] + 1;  // sequential
  for (int i = 0; i < 100; i++) a[i + 100] = a[i];  // parallel
  for (int i = 0; i < 199; i++) if (i % 64 == 63) a[i] = a[i - 63] + 1; else if (i % 64 == 0) a[i] = 9;  // sequential
  for (int i = 0; i < 200; i++) { if (i == 77) a[3] = 1; if (i == 170) a[170] = a[3]; }  // sequential
  for (int i = 0; i < 200; i++) { if (i == 177) a[3] = 1; if (i == 70) a[170] = a[3]; }  // parallel
  printf("%d\n", a[199]);
}
//// in place
#include <stdio.h>
int a[8][8], b[8][8], v[40];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++) a[i][j] = b[i][j] = i * 8 + j;  // parallel
  for (int i = 0; i < 8; i++)  // sequential
    for (int j = 0; j < 8; j++) { int t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; }  // parallel
  for (int i = 0; i < 8; i++)  // sequential
    for (int j = 0; j < 8; j++) b[i][j] += b[7 - i][j];  // parallel
  for (int i = 0; i < 4; i++)  // parallel
    for (int j = 0; j < 8; j++) b[i][j] += b[7 - i][j];  // parallel
  for (int k = 0; k < 40; k++) v[k] = k;  // parallel
  for (int k = 0; k < 20; k++) v[k] = v[2 * k];  // parallel
  for (int k = 19; k >= 0; k--) v[2 * k] = v[k];  // parallel
  for (int k = 0; k < 39; k++) { int t = v[k]; v[k] = v[k + 1]; v[k + 1] = t; }  // sequential
  for (int k = 0; k < 38; k++) v[k] = v[k + 1] + v[k + 2];  // parallel
  printf("%d %d %d\n", a[2][3], b[5][5], v[7]);
}
//// tables of dynamic programming
#include <stdio.h>
int c[12], ways[40], coins[4] = {1, 5, 7, 11}, opt[12][12], dims[7] = {3, 4, 2, 6, 5, 3, 2}, cat[10], lis[15], x[15];
int main(void) {
  ways[0] = 1;
  for (int k = 0; k < 4; k++)  // sequential
    for (int v = coins[k]; v < 40; v++) ways[v] += ways[v - coins[k]];  // sequential
  for (int len = 2; len < 7; len++)  // sequential
    for (int i = 1; i + len - 1 < 7; i++) { int j = i + len - 1; opt[i][j] = 1 << 20;  // parallel
      for (int k = i; k < j; k++) { int q = opt[i][k] + opt[k + 1][j] + dims[i - 1] * dims[k] * dims[j]; if (q < opt[i][j]) opt[i][j] = q; } }  // reduction
  cat[0] = 1;
  for (int n = 1; n < 10; n++)  // sequential
    for (int k = 0; k < n; k++) cat[n] += cat[k] * cat[n - 1 - k];  // reduction
  for (int i = 0; i < 15; i++) x[i] = (i * 7) % 11;  // parallel
  for (int i = 0; i < 15; i++) { lis[i] = 1;  // sequential
    for (int j = 0; j < i; j++) if (x[j] < x[i] && lis[j] + 1 > lis[i]) lis[i] = lis[j] + 1; }  // reduction
  c[0] = 1;
  for (int n = 1; n < 12; n++)  // sequential
    for (int k = n; k > 0; k--) c[k] += c[k - 1];  // parallel
  printf("%d %d %d %d %d\n", ways[39], opt[1][6], cat[9], lis[14], c[5]);
}
//// sums that are looked at
#include <stdio.h>
int a[40], mn[4] = {99, 99, 99, 99}, cnt[3][3]; double dsum[2]; unsigned x, h; char any;
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = (i * 23) % 37;  // parallel
  for (int i = 0; i < 40; i++) if (a[i] < mn[i & 3]) mn[i & 3] = a[i];  // reduction
  for (int i = 0; i < 40; i++) cnt[i % 3][a[i] % 3]++;  // reduction
  for (int i = 0; i < 40; i++) dsum[a[i] & 1] += a[i] * 0.5;  // reduction
  for (int i = 0; i < 40; i++) x = x + a[i] * a[39 - i];  // reduction
  for (int i = 0; i < 40; i++) h = (h + a[i]) * 3;  // sequential
  for (int i = 0; i < 40; i++) any = any || a[i] == 7;  // reduction
  int s = 0, q = 0;
  for (int i = 0; i < 40; i++) { s += a[i]; q += s; }  // sequential
  for (int i = 0; i < 40; i++) { s += a[i]; a[i] = 0; }  // reduction
  for (int i = 0; i < 40; i++) { s += i; if (s & 1) a[i] = 1; }  // sequential
  printf("%d %u %u %d %d %d\n", mn[2], x, h, any, q, s);
}
//// values at an end
#include <stdio.h>
int a[41], b[40];
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = i;  // parallel
  for (int i = 0; i < 40; i++) if (i == 39) b[0] = a[0] + b[38]; else if (i == 38) b[38] = 7; else b[i] = a[i];  // sequential
  for (int i = 0; i < 40; i++) { if (i == 0) a[0] = 5; else b[i] = a[0] + i; }  // sequential
  for (int i = 0; i < 20; i++) a[i + 20] = a[i];  // parallel
  for (int i = 0; i < 21; i++) a[i + 20] = a[i] + 1;  // sequential
  for (int i = 0; i < 20; i++) a[2 * i] = a[2 * i + 1];  // parallel
  for (int i = 0; i < 20; i++) a[2 * i] = a[i];  // sequential
  for (int i = 0; i < 40; i++) b[i] = b[39 - i];  // sequential
  printf("%d %d\n", a[39], b[0]);
}
//// copies of records
#include <stdio.h>
struct s { int a, b; } x[20], y; int o[20];
int main(void) {
  for (int i = 0; i < 20; i++) { x[i].a = i; x[i].b = i * i; }  // parallel
  for (int i = 0; i < 20; i++) { struct s t = x[i]; t.a++; y = t; o[i] = y.a + y.b; }  // parallel
  for (int i = 0; i < 20; i++) { y.a = x[i].a; o[i] = y.a + y.b; y.b = x[i].b; }  // sequential
  for (int i = 0; i < 20; i++) { struct s *p = &x[i]; *p = (struct s){ p->b, p->a }; }  // parallel
  for (int i = 0; i < 19; i++) { struct s *p = &x[i]; p[1].a = p->a ^ p[1].b; }  // sequential
  printf("%d %d\n", o[7], x[19].a);
}
//// sliding windows
#include <stdio.h>
int a[40], w[40], mx[40], dq[40];
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = (i * 17) % 23;  // parallel
  int s = 0;
  for (int i = 0; i < 5; i++) s += a[i];  // reduction
  for (int i = 5; i < 40; i++) { s += a[i] - a[i - 5]; w[i] = s; }  // sequential
  for (int i = 4; i < 40; i++) { int t = 0;  // parallel
    for (int k = 0; k < 5; k++) t += a[i - k];  // reduction
    w[i] = t; }
  int h = 0, t = 0;
  for (int i = 0; i < 40; i++) {  // sequential
    while (t > h && a[dq[t - 1]] <= a[i]) t--;  // sequential
    dq[t++] = i;
    if (dq[h] <= i - 5) h++;
    mx[i] = a[dq[h]];
  }
  printf("%d %d\n", w[39], mx[39]);
}
//// pointers that overlap
#include <stdio.h>
double A[60]; int idx[20], ival[24];
void shift(double *restrict p, const double *q, int n) { for (int i = 0; i < n; i++) p[i] = q[i] + 1; }  // parallel
void rec(double *p, double *q, int n) { for (int i = 0; i < n; i++) p[i] = q[i] + 1; }  // sequential
int main(void) {
  for (int i = 0; i < 60; i++) A[i] = i;  // parallel
  shift(A, A + 30, 20);
  rec(A + 1, A, 20);
  rec(A + 1, A, 10);
  int *p = ival;
  for (int i = 0; i < 20; i++) { idx[i] = *p; p[1] = idx[i] + 1; p++; }  // sequential
  int *end = ival + 20;
  for (int *q = ival; q != end; q++) *q = 0;  // parallel
  for (int *q = ival; q < end; q += 2) q[1] = q[0] + 3;  // parallel
  for (int *q = ival; q < end; q++) q[2] = q[0] + 3;  // sequential
  printf("%f %d\n", A[12], idx[3]);
}
//// two buffers that change places
#include <stdio.h>
double p[16], q[16];
int main(void) {
  double *cur = p, *nxt = q;
  for (int i = 0; i < 16; i++) cur[i] = i % 5;  // parallel
  for (int t = 0; t < 6; t++) {  // sequential
    for (int i = 1; i < 15; i++) nxt[i] = 0.5 * (cur[i - 1] + cur[i + 1]);  // parallel
    double *s = cur; cur = nxt; nxt = s;
  }
  double g[2][16];
  for (int i = 0; i < 16; i++) g[0][i] = g[1][i] = cur[i];  // parallel
  for (int t = 0; t < 6; t++)  // sequential
    for (int i = 1; i < 15; i++) g[(t + 1) & 1][i] = g[t & 1][i - 1] + g[t & 1][i + 1];  // parallel
  printf("%f %f\n", cur[7], g[0][5]);
}
//// convolutions
#include <stdio.h>
double in[20], k[5] = {1, 2, 3, 2, 1}, out[20], img[8][8], bl[8][8];
int main(void) {
  for (int i = 0; i < 20; i++) in[i] = i % 4;  // parallel
  for (int i = 2; i < 18; i++) { out[i] = 0;  // parallel
    for (int j = 0; j < 5; j++) out[i] += k[j] * in[i + j - 2]; }  // reduction
  for (int j = 0; j < 5; j++)  // reduction
    for (int i = 2; i < 18; i++) out[i] += k[j] * in[i + j - 2];  // parallel
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++) img[i][j] = i ^ j;  // parallel
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++) { int jj = j > 0 ? j - 1 : 0; bl[i][j] = img[i][jj] + img[i][j]; }  // parallel
  for (int i = 0; i < 20; i++) out[(i + 3) % 20] = in[i];  // parallel
  printf("%f %f\n", out[9], bl[3][3]);
}
//// triangles
#include <stdio.h>
double a[8][8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++) a[i][j] = i == j ? 20 : i + 2 * j;  // parallel
  for (int k = 0; k < 8; k++)  // sequential
    for (int i = k + 1; i < 8; i++) {  // parallel
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < 8; j++) a[i][j] -= a[i][k] * a[k][j];  // parallel
    }
  double b[8], x[8];
  for (int i = 0; i < 8; i++) b[i] = i;  // parallel
  for (int i = 0; i < 8; i++) {  // sequential
    x[i] = b[i];
    for (int j = 0; j < i; j++) x[i] -= a[i][j] * x[j];  // reduction
  }
  printf("%f\n", x[7]);
}
