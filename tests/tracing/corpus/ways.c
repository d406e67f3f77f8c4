//// a store that never runs
int w[9], best[60];
int main(void) {
  for (int i = 0; i < 60; i++)  // parallel
    best[i] = i;
  for (int i = 0; i < 9; i++)  // parallel
    w[i] = i + 1;
  for (int i = 0; i < 9; i++)  // sequential
    for (int c = w[i]; c < 60; c++)  // sequential
      if (best[c - w[i]] + w[i] > best[c]) best[c] = best[c - w[i]] + w[i] + 1;
  return best[7] & 1;
}
//// a variable that is never handed on
int a[20], b[20];
int main(void) {
  int last = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i;
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = last;
    if (a[i] > 100) last = a[i];
  }
  return b[3] & 1;
}
//// a call that never comes
int a[20], n;
void bump(void) { n++; }
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] > 100) bump();
    a[i] = n;
  }
  return a[3] & 1;
}
//// lists, copies, and what is made once
struct pair { int x, y; } s[20];
int a[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    static const int k[2] = {1, 2};
    struct pair z = {.x = 1, .y = 2};
    int w[2] = {i, 1}, c = 3;
    char m[8] = "abc";
    s[i] = z;
    a[i] = w[0] + k[1] + m[0] + c;
  }
  return a[3] & 1;
}
//// choices of which one is made
int a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i;
  for (int i = 0; i < 20; i++)  // parallel
    b[i] = a[i] > 100 ? 1 : 2;
  return b[3] & 1;
}
//// recurrences that look like sums
double x[20];
int a[20];
unsigned odd;
int main(void) {
  double q = 0;
  for (int i = 0; i < 20; i++) {  // parallel
    x[i] = i * 0.5;
    a[i] = i * 7 % 5;
  }
  for (int i = 0; i < 20; i++)  // sequential
    q = q * 0.9 + x[i];
  unsigned hash = 5381;
  for (int i = 0; i < 20; i++)  // sequential
    hash = hash * 33 ^ a[i];
  for (int i = 0; i < 20; i++)  // sequential
    if (hash < 1000) hash += a[i];
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] > 2 && (odd ^= 1)) x[i] = 0;
  return q > 3 && hash > 7;
}
//// a recurrence in a function
int total, a[20];
int note(int v, int w) { total = total * 2 + v; return w; }
int main(void) {
  for (int i = 0; i < 20; i++)  // sequential
    a[i] = note(i & 1, i);
  return total & 1;
}
//// random numbers added to cells
#include <stdlib.h>
int a[20];
int main(void) {
  unsigned seed = 9;
  for (int i = 0; i < 20; i++)  // sequential
    a[i] ^= rand_r(&seed) % 10;
  unsigned short x[3] = {1, 2, 3};
  for (int i = 0; i < 20; i++)  // sequential
    a[i] += erand48(x) * 9;
  return a[3] & 1;
}
//// sums without spaces, and the larger of two
#include <math.h>
double a[20];
int main(void) {
  double s=0, m=0, n=0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i*7%5;
  for (int i = 0; i < 20; i++)  // reduction
    s+=a[i];
  for (int i = 0; i < 20; i++)  // reduction
    m=fmax(m, fabs(a[i]));
  for (int i = 0; i < 20; i++)  // reduction
    n = a[i]>n ? a[i] : n;
  return s > m + n;
}
//// two counters
int a[20], b[40];
int main(void) {
  int j = 19;
  for (int i = 0; i < 20; i++, j--)  // parallel
    a[j] = i;
  for (int i = 0, m = 0; i < 13; i++, m += 3)  // parallel
    b[m] = a[i];
  for (int i = 0, k = 19; i < k; i++, k--) {  // parallel
    int t = a[i];
    a[i] = a[k];
    a[k] = t;
  }
  for (int i = 0, d = 1; i < 12; i++, d = d * 3 % 7)  // sequential
    b[i] = d;
  return b[3] & 1;
}
//// words of lines of their own
#include <stdio.h>
#include <string.h>
char line[12][32];
int n[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    sprintf(line[i], "k%d=v%d", i, i * i);
  for (int i = 0; i < 12; i++) {  // parallel
    char *rest;
    n[i] = strtok_r(line[i], "=", &rest)[1];
  }
  return n[3] & 1;
}
//// a function that rarely ends the program
#include <stdlib.h>
int a[12], o[12];
static int valid(int v) {
  if (v > 1000) exit(2);
  return v + 1;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    a[i] = i * 9 % 23;
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = valid(a[i]);
  return o[3] & 1;
}
