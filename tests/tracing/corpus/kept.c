What the library keeps where a text does not name it, and what is not kept of what is added.
//// one file by many streams
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
FILE *f[5];
int k[5];
int main(void) {
  char name[] = "/tmp/polynbXXXXXX";
  close(mkstemp(name));
  for (int i = 0; i < 5; i++)  // sequential
    f[i] = fopen(name, "a+");
  for (int i = 0; i < 5; i++) {  // sequential
    fprintf(f[i], "%d ", i);
    fflush(f[i]);
  }
  for (int i = 0; i < 5; i++)  // sequential
    fclose(f[i]);
  remove(name);
  return 0;
}
//// one screen by many streams
#include <stdio.h>
#include <unistd.h>
FILE *f[4];
int main(void) {
  for (int i = 0; i < 4; i++) {  // sequential
    f[i] = fdopen(dup(1), "w");
    fprintf(f[i], "line %d\n", i);
  }
  for (int i = 0; i < 4; i++)  // sequential
    fclose(f[i]);
  return 0;
}
//// a stream, and what is below it
#include <stdio.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 6; i++) {  // sequential
    if (i == 2)
      puts("by a stream");
    if (i == 4)
      write(1, "below it\n", 9);
  }
  return 0;
}
//// days that the library keeps, and writes anew
#include <time.h>
int a[6];
int main(void) {
  time_t t0 = 86400, t1 = 200000;
  struct tm *p = gmtime(&t0);
  for (int i = 0; i < 6; i++) {  // sequential
    a[i] = p->tm_mday;
    if (i == 2)
      gmtime(&t1);
  }
  for (int i = 0; i < 6; i++)  // parallel
    a[i] += p->tm_mon;
  return a[4];
}
//// the environment by its variable
#include <stdlib.h>
extern char **environ;
int n[5];
int main(void) {
  for (int i = 0; i < 5; i++) {  // sequential
    int k = 0;
    while (environ[k])  // sequential
      k++;
    n[i] = k;
    if (i == 2)
      setenv("POLYNB_OF_A_TEST", "1", 1);
  }
  return n[4] - n[0];
}
//// words that overlap
#include <stdint.h>
#include <string.h>
uint8_t w[64];
int main(void) {
  for (int i = 0; i < 60; i++)  // sequential
    *(uint32_t *)(w + i) += 0xff01u;
  for (int i = 0; i < 15; i++)  // parallel
    *(uint32_t *)(w + 4 * i) += 0xff01u;
  return w[5];
}
//// the sign of the gamma function
#define _GNU_SOURCE
#include <math.h>
double y[10];
int s[10];
int main(void) {
  for (int i = 0; i < 10; i++) {  // sequential
    s[i] = signgam;
    y[i] = lgamma(i - 4.5);
  }
  return s[3];
}
//// the sign of the gamma function where it is given
#define _GNU_SOURCE
#include <math.h>
double y[10];
int s[10];
int main(void) {
  for (int i = 0; i < 10; i++)  // parallel
    y[i] = lgamma_r(i - 4.5, &s[i]);
  for (int i = 0; i < 10; i++)  // parallel
    y[i] += lgamma(i + 0.5);
  return s[3];
}
//// variables that headers declare
#include <unistd.h>
int o[12], optopts[3];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = optind;
    optind = i;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    optopt = i * 2;
    o[i] += optopt;
  }
  return o[3];
}
//// variables that are called as the library's
struct s { int timezone, optind; } r[8];
static int signgam = 1;
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    r[i] = (struct s){.timezone = i, .optind = -i};
  for (int i = 0; i < 8; i++) {  // sequential
    r[i].optind += signgam;
    signgam = r[i].timezone;
  }
  return r[3].optind & 7;
}
//// halves of numbers that are added to whole ones
int a[20];
double d[20];
int main(void) {
  int s = 0, t = 0, n = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i % 3 - 1 + (i == 7), d[i] = a[i] * 0.75;
  for (int i = 0; i < 20; i++)  // sequential
    s += 0.5 * a[i];
  for (int i = 0; i < 20; i++)  // sequential
    t += d[i];
  for (int i = 0; i < 20; i++)  // reduction
    n += d[i] > 0.5;
  return (s + t + n) & 7;
}
//// sums of floats, in places of several kinds
double w[2] = {0.5, 1}, d[20], *p = d;
struct { float x, y; } r;
static void add(double *to, int n) {
  for (int i = 1; i < n; i++)  // reduction
    *to += d[i];
}
int main(void) {
  double s = 0, t = 0, one[2] = {0};
  for (int i = 0; i < 20; i++)  // parallel
    d[i] = i * 0.5;
  for (int i = 0; i < 20; i++)  // reduction
    t += d[i];
  for (int i = 0; i < 20; i++)  // reduction
    one[1] += d[i] * 2;
  for (int i = 0; i < 20; i++)  // reduction
    r.y += d[i];
  add(&s, 20);
  return (int)(s + t + one[1] + r.y) & 7;
}
//// truths that are added to
#include <stdbool.h>
int a[20];
int main(void) {
  bool b = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i % 3 - 1;
  for (int i = 0; i < 20; i++)  // sequential
    b += a[i];
  return b;
}
//// a sum, and the largest that it was
int a[20];
int main(void) {
  int k = 0, m = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5 - 2;
  for (int i = 0; i < 20; i++) {  // sequential
    k += a[i];
    m = k > m ? k : m;
  }
  return m;
}
//// a sum of what is handed on by its own line
int o[12], f, t;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] += __builtin_mul_overflow(f + 1, i + 1, &f);
  for (int i = 0; i < 12; i++)  // sequential
    o[i] += __atomic_exchange_n(&t, i, 5);
  return o[5] & 7;
}
//// searches whose function reads behind casts
#include <stdlib.h>
int t[20], at[10];
static int cmp(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    t[i] = i * 3;
  for (int i = 0; i < 10; i++) {  // parallel
    int k = i * 6;
    int *p = bsearch(&k, t, 20, sizeof *t, cmp);
    at[i] = (int)(p - t);
  }
  return at[3];
}
