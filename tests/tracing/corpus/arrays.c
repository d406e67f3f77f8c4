//// vectors
double a[20], b[20], c[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    a[i] = i * 0.5;
    b[i] = 3 - i;
  }
  for (int i = 0; i < 20; i++)  // parallel
    c[i] = a[i] + 2 * b[i];
  for (int i = 0; i < 20; i++)  // parallel
    c[i] += a[i];
  return c[3] > 1;
}
//// matrix multiplication
double a[6][7], b[7][8], c[6][8];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    for (int k = 0; k < 7; k++)  // parallel
      a[i][k] = i + k;
  for (int k = 0; k < 7; k++)  // parallel
    for (int j = 0; j < 8; j++)  // parallel
      b[k][j] = k - j;
  for (int i = 0; i < 6; i++)  // parallel
    for (int j = 0; j < 8; j++)  // parallel
      for (int k = 0; k < 7; k++)  // reduction
        c[i][j] += a[i][k] * b[k][j];
  return c[3][3] > 1;
}
//// transposition
double a[9][9], b[9][9];
int main(void) {
  for (int i = 0; i < 9; i++)  // parallel
    for (int j = 0; j < 9; j++)  // parallel
      a[i][j] = 10 * i + j;
  for (int i = 0; i < 9; i++)  // parallel
    for (int j = 0; j < 9; j++)  // parallel
      b[j][i] = a[i][j];
  return b[3][2] > 1;
}
//// transposition in place
int a[9][9];
int main(void) {
  for (int i = 0; i < 9; i++)  // parallel
    for (int j = 0; j < 9; j++)  // parallel
      a[i][j] = 10 * i + j;
  for (int i = 0; i < 9; i++)  // parallel
    for (int j = i + 1; j < 9; j++) {  // parallel
      int t = a[i][j];
      a[i][j] = a[j][i];
      a[j][i] = t;
    }
  return a[3][2] & 1;
}
//// stencil between two arrays
double a[30], b[30];
int main(void) {
  for (int i = 0; i < 30; i++)  // parallel
    a[i] = i % 4;
  for (int t = 0; t < 4; t++) {  // sequential
    for (int i = 1; i < 29; i++)  // parallel
      b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < 29; i++)  // parallel
      a[i] = b[i];
  }
  return a[3] > 1;
}
//// stencil in place
double a[12][12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    for (int j = 0; j < 12; j++)  // parallel
      a[i][j] = i * j % 5;
  for (int t = 0; t < 3; t++)  // sequential
    for (int i = 1; i < 11; i++)  // sequential
      for (int j = 1; j < 11; j++)  // sequential
        a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i + 1][j] + a[i][j + 1]) / 5;
  return a[3][3] > 1;
}
//// only columns are handed on
double a[10][10];
int main(void) {
  for (int j = 0; j < 10; j++)  // parallel
    a[0][j] = j;
  for (int i = 1; i < 10; i++)  // sequential
    for (int j = 0; j < 10; j++)  // parallel
      a[i][j] = a[i - 1][j] * 0.5 + j;
  return a[3][3] > 1;
}
//// only rows are handed on
double a[10][10];
int main(void) {
  for (int i = 0; i < 10; i++)  // parallel
    for (int j = 1; j < 10; j++)  // sequential
      a[i][j] = a[i][j - 1] * 0.5 + i;
  return a[3][3] > 1;
}
//// a cell ahead
int a[21];
int main(void) {
  for (int i = 0; i < 21; i++)  // parallel
    a[i] = i * i;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = a[i + 1] - 1;
  return a[3] & 1;
}
//// a cell behind
int a[21];
int main(void) {
  a[0] = 5;
  for (int i = 1; i < 21; i++)  // sequential
    a[i] = a[i - 1] + i;
  return a[3] & 1;
}
//// even and odd cells
int a[40];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[2 * i] = i;
  for (int i = 0; i < 20; i++)  // parallel
    a[2 * i + 1] = a[2 * i] + 1;
  for (int i = 0; i < 19; i++)  // sequential
    a[2 * i + 2] += a[2 * i];
  return a[3] & 1;
}
//// a far cell
int a[40];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 3;
  for (int i = 0; i < 20; i++)  // parallel
    a[i + 20] = a[i] + 1;
  for (int i = 0; i < 30; i++)  // sequential
    a[i + 10] = a[i] + 1;
  return a[33] & 1;
}
//// the array turned round
int a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * i;
  for (int i = 0; i < 20; i++)  // parallel
    b[19 - i] = a[i];
  for (int i = 0; i < 20; i++)  // sequential
    a[19 - i] = a[i] + 1;
  return a[3] & 1;
}
//// triangle
int a[12][12], s[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    for (int j = 0; j <= i; j++)  // parallel
      a[i][j] = i - j;
  for (int i = 0; i < 12; i++)  // parallel
    for (int j = 0; j <= i; j++)  // reduction
      s[i] += a[i][j];
  return s[7] & 1;
}
//// triangular solve
double l[8][8], x[8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j <= i; j++)  // parallel
      l[i][j] = i == j ? 2 : 0.25;
  for (int i = 0; i < 8; i++) {  // sequential
    x[i] = i + 1;
    for (int j = 0; j < i; j++)  // reduction
      x[i] -= l[i][j] * x[j];
    x[i] /= l[i][i];
  }
  return x[3] > 1;
}
//// elimination
double a[7][7];
int main(void) {
  for (int i = 0; i < 7; i++)  // parallel
    for (int j = 0; j < 7; j++)  // parallel
      a[i][j] = i == j ? 9 : 1.0 / (i + j + 1);
  for (int k = 0; k < 6; k++)  // sequential
    for (int i = k + 1; i < 7; i++) {  // parallel
      double f = a[i][k] / a[k][k];
      for (int j = k; j < 7; j++)  // parallel
        a[i][j] -= f * a[k][j];
    }
  return a[3][3] > 1;
}
//// Floyd and Warshall
int d[7][7];
int main(void) {
  for (int i = 0; i < 7; i++)  // parallel
    for (int j = 0; j < 7; j++)  // parallel
      d[i][j] = (i * 5 + j * 3) % 11 + 1;
  for (int k = 0; k < 7; k++)  // sequential
    for (int i = 0; i < 7; i++)  // parallel
      for (int j = 0; j < 7; j++) {  // parallel
        int through = d[i][k] + d[k][j];
        if (i != k && j != k && through < d[i][j]) d[i][j] = through;
      }
  return d[3][3] & 1;
}
//// longest common subsequence
char x[] = "polyhedra", y[] = "polygon";
int l[10][8];
int main(void) {
  for (int i = 1; i < 10; i++)  // sequential
    for (int j = 1; j < 8; j++) {  // sequential
      if (x[i - 1] == y[j - 1]) l[i][j] = l[i - 1][j - 1] + 1;
      else l[i][j] = l[i - 1][j] > l[i][j - 1] ? l[i - 1][j] : l[i][j - 1];
    }
  return l[9][7];
}
//// sum of everything in a cell
int a[10][10], total;
int main(void) {
  for (int i = 0; i < 10; i++)  // parallel
    for (int j = 0; j < 10; j++)  // parallel
      a[i][j] = i * j % 7;
  for (int i = 0; i < 10; i++)  // reduction
    for (int j = 0; j < 10; j++)  // reduction
      total += a[i][j];
  return total & 1;
}
//// sums of columns
int a[10][10], s[10];
int main(void) {
  for (int i = 0; i < 10; i++)  // parallel
    for (int j = 0; j < 10; j++)  // parallel
      a[i][j] = i * j % 7;
  for (int i = 0; i < 10; i++)  // reduction
    for (int j = 0; j < 10; j++)  // parallel
      s[j] += a[i][j];
  return s[3] & 1;
}
//// prefix sums
int a[30];
int main(void) {
  for (int i = 0; i < 30; i++)  // parallel
    a[i] = i % 3;
  for (int i = 1; i < 30; i++)  // sequential
    a[i] += a[i - 1];
  return a[29] & 1;
}
//// convolution
int a[20], w[5] = {1, 2, 3, 2, 1}, o[16];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i % 6;
  for (int i = 0; i < 16; i++)  // parallel
    for (int k = 0; k < 5; k++)  // reduction
      o[i] += a[i + k] * w[k];
  return o[3] & 1;
}
//// scattered convolution
int a[16], w[5] = {1, 2, 3, 2, 1}, o[20];
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    a[i] = i % 6;
  for (int i = 0; i < 16; i++)  // reduction
    for (int k = 0; k < 5; k++)  // parallel
      o[i + k] += a[i] * w[k];
  return o[3] & 1;
}
//// copies of structs
struct point { double x, y; int n; } s[20], t[20];
int main(void) {
  s[0].x = 4;
  for (int i = 0; i < 19; i++)  // sequential
    s[i + 1] = s[i];
  for (int i = 0; i < 20; i++)  // parallel
    t[i] = s[i];
  for (int i = 0; i < 20; i++) {  // parallel
    t[i].x += i;
    t[i].n = (int) t[i].x;
  }
  return t[3].n & 1;
}
//// fields of their own
struct cell { int now, next; } g[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    g[i].now = i * 7 % 3;
  for (int i = 1; i < 19; i++)  // parallel
    g[i].next = g[i - 1].now + g[i + 1].now;
  for (int i = 1; i < 19; i++)  // sequential
    g[i].now = g[i - 1].now + g[i].next;
  return g[9].now & 1;
}
//// a parameter that is the same array
int a[21], b[21];
static void shift(int *to, const int *from, int n) {
  for (int i = 0; i < n; i++)  // sequential
    to[i] = from[i] + 1;
}
int main(void) {
  shift(a + 1, a, 20);
  return a[7] & 1;
}
//// parameters that are different arrays
int a[21], b[21];
static void shift(int *to, const int *from, int n) {
  for (int i = 0; i < n; i++)  // parallel
    to[i] = from[i] + 1;
}
int main(void) {
  shift(a + 1, b, 20);
  return a[7] & 1;
}
//// pointers that go on
int a[20], b[20];
int main(void) {
  int *p = a, *q = b;
  for (int i = 0; i < 20; i++)  // parallel
    *p++ = i;
  p = a;
  for (int i = 0; i < 20; i++)  // parallel
    *q++ = 2 * *p++;
  return b[3] & 1;
}
//// pointer and index
int a[21];
int main(void) {
  int *p = a + 1;
  for (int i = 0; i < 20; i++)  // sequential
    p[i] = a[i] + i;
  return a[9] & 1;
}
//// rows that are allocated
#include <stdlib.h>
int main(void) {
  double **m = malloc(6 * sizeof *m), s = 0;
  for (int i = 0; i < 6; i++)  // parallel
    m[i] = malloc(5 * sizeof **m);
  for (int i = 0; i < 6; i++)  // parallel
    for (int j = 0; j < 5; j++)  // parallel
      m[i][j] = i + j;
  for (int i = 1; i < 6; i++)  // sequential
    for (int j = 0; j < 5; j++)  // parallel
      m[i][j] += m[i - 1][j];
  for (int i = 0; i < 6; i++)  // reduction
    s += m[i][i % 5];
  return s > 3;
}
//// bits of a word
unsigned a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    unsigned x = i * 2654435761u;
    x = x >> 16 | x << 16;
    b[i] = x & 255;
  }
  return b[3] & 1;
}
//// a table with one cell
int t[1], a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    t[0] = i * 3;
    b[i] = t[0] + a[i];
  }
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = t[0];
    t[0] = a[i] + i;
  }
  return b[3] & 1;
}
