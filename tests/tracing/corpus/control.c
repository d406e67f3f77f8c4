//// while that counts
int a[20];
int main(void) {
  int i = 0;
  while (i < 20) {  // parallel
    a[i] = i * 2;
    i++;
  }
  return a[3];
}
//// while that searches
int a[20];
int main(void) {
  int i = 0;
  a[13] = 1;
  while (!a[i])  // sequential
    i++;
  return i;
}
//// do and while
int a[20];
int main(void) {
  int i = 0, x = 100;
  do {  // parallel
    a[i] = i;
    i++;
  } while (i < 20);
  do {  // sequential
    x /= 2;
    a[x % 20] = x;
  } while (x > 3);
  return a[3];
}
//// Euclid
int g[10];
int main(void) {
  for (int i = 0; i < 10; i++) {  // parallel
    int x = 30 + 7 * i, y = 12 + i;
    while (y) {  // sequential
      int t = x % y;
      x = y;
      y = t;
    }
    g[i] = x;
  }
  return g[3];
}
//// Collatz
int n[12];
int main(void) {
  for (int i = 1; i < 12; i++) {  // parallel
    int x = i, steps = 0;
    while (x != 1) {  // sequential
      x = x % 2 ? 3 * x + 1 : x / 2;
      steps++;
    }
    n[i] = steps;
  }
  return n[3];
}
//// Mandelbrot
int n[6][6];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    for (int j = 0; j < 6; j++) {  // parallel
      double x = 0, y = 0, cx = i * 0.5 - 2, cy = j * 0.4 - 1;
      int k = 0;
      while (k < 9 && x * x + y * y < 4) {  // sequential
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        k++;
      }
      n[i][j] = k;
    }
  return n[3][3];
}
//// jump over
int a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    if (a[i] > 3) goto next;
    b[i] = i;
  next:;
  }
  return b[3];
}
//// jump out
int a[20], b[20];
int main(void) {
  a[12] = 4;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] > 3) goto out;
    b[i] = i;
  }
out:
  return b[3];
}
//// every way of going on
int a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 3 % 4;
  for (int i = 0; i < 20; i++) {  // parallel
    switch (a[i]) {
      case 0: b[i] = 1; break;
      case 1: continue;
      default: b[i] = a[i] * 2;
    }
  }
  return b[3];
}
//// steps of three
int a[30];
int main(void) {
  for (int i = 0; i < 30; i += 3) {  // parallel
    a[i] = i;
    a[i + 1] = a[i] + 1;
    a[i + 2] = a[i + 1] + 1;
  }
  return a[4];
}
//// powers of two
int a[40];
int main(void) {
  a[0] = 1;
  for (int w = 1; w < 32; w *= 2)  // sequential
    for (int i = 0; i < w; i++)  // parallel
      a[i + w] = a[i] + 1;
  return a[31];
}
//// tree of sums
int a[32];
int main(void) {
  for (int i = 0; i < 32; i++)  // parallel
    a[i] = i;
  for (int w = 1; w < 32; w *= 2)  // sequential
    for (int i = 0; i < 32; i += 2 * w)  // parallel
      a[i] += a[i + w];
  return a[0] & 1;
}
//// downwards
int a[20], b[20];
int main(void) {
  for (int i = 19; i >= 0; i--)  // parallel
    a[i] = i;
  for (int i = 18; i >= 0; i--)  // sequential
    b[i] = b[i + 1] + a[i];
  return b[0] & 1;
}
//// an early return
static int first(const int *a, int n) {
  for (int i = 0; i < n; i++)  // sequential
    if (a[i] > 5) return i;
  return -1;
}
int a[20], f[6];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 11;
  for (int i = 0; i < 6; i++)  // parallel
    f[i] = first(a + i, 10);
  return f[3];
}
//// an exit
#include <stdlib.h>
int a[20], b[20];
int main(void) {
  a[15] = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = i;
    if (a[i]) exit(3);
  }
  return 0;
}
//// time steps with two buffers
double u[2][20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    u[0][i] = i % 5;
  for (int t = 0; t < 6; t++)  // sequential
    for (int i = 1; i < 19; i++)  // parallel
      u[(t + 1) % 2][i] = u[t % 2][i - 1] + u[t % 2][i + 1];
  return u[0][3] > 3;
}
//// blocks
int a[4][32], s[4];
int main(void) {
  for (int b = 0; b < 4; b++)  // parallel
    for (int i = 0; i < 8; i++)  // parallel
      a[0][8 * b + i] = b * i;
  for (int b = 0; b < 4; b++) {  // parallel
    int sum = 0;
    for (int i = 0; i < 8; i++)  // reduction
      sum += a[0][8 * b + i];
    s[b] = sum;
  }
  return s[3] & 1;
}
//// a nest that only writes one row
int a[8], b[8][8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++)  // parallel
      a[j] = i + j;
  for (int i = 0; i < 8; i++) {  // parallel
    for (int j = 0; j < 8; j++)  // parallel
      a[j] = i * j;
    for (int j = 0; j < 8; j++)  // parallel
      b[i][j] = a[7 - j];
  }
  return b[3][3];
}
//// a wavefront of which two tests tell the end
int a[9][9];
int main(void) {
  for (int i = 0; i < 9; i++)  // parallel
    a[i][0] = a[0][i] = 1;
  for (int d = 2; d <= 16; d++)  // sequential
    for (int i = d > 8 ? d - 8 : 1; i < d && i < 9; i++) {  // parallel
      int j = d - i;
      a[i][j] = a[i - 1][j] + a[i][j - 1];
    }
  return a[8][8] & 1;
}
//// a second test that the body answers
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  int left = 100;
  for (int i = 0; i < 12 && left > 0; i++) {  // sequential
    if (a[i] > 90) left = 0;
    b[i] = a[i];
  }
  return b[3] & 1;
}
