//// a global that is read on a way not taken
#include <stdio.h>
int a[20], o[20], last, seen, tmp, on[4];
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] == 3)
      last = i;
    o[i] = a[i] + 1;
  }
  for (int i = 0; i < 20; i++) {  // parallel
    seen = i * 2;
    o[i] += seen;
  }
  for (int i = 0; i < 20; i++) {  // parallel
    if (a[i] == 3) {
      tmp = i;
      o[i] += tmp;
    }
  }
  for (int i = 0; i < 20; i++)  // sequential
    on[a[i] & 3] = i;
  if (argc > 5)
    printf("%d %d %d\n", last, seen, on[argc & 3]);
  return o[3];
}
//// a global that a function not called reads
#include <stdio.h>
static int a[20], o[20], last, seen;
static void report(void) { printf("%d %d\n", last, seen); }
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] == 3)
      last = i;
    o[i] = a[i] + 1;
  }
  for (int i = 0; i < 20; i++) {  // parallel
    seen = i * 2;
    o[i] += seen;
  }
  if (argc > 5)
    report();
  return o[3];
}
//// a local that is read on a way not taken
#include <stdio.h>
static int a[20], o[20];
int main(int argc, char **argv) {
  int last = 0, on[4] = {0}, *p = &on[1];
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] == 3)
      last = i;
    o[i] = a[i] + 1;
  }
  for (int i = 0; i < 20; i++)  // sequential
    on[a[i] & 3] = i;
  if (argc > 5)
    printf("%d %d\n", last, on[argc & 3]);
  return o[3];
}
//// memory by a pointer, read on a way not taken
#include <stdio.h>
#include <stdlib.h>
static int a[20], o[20];
static void keep(int *h, int n) {
  for (int i = 0; i < n; i++)  // sequential
    h[a[i] & 3] = i;
}
int main(int argc, char **argv) {
  int *h = calloc(4, sizeof *h), *k = malloc(4);
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  keep(h, 20);
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] == 3)
      *k = i;
  if (argc > 5)
    printf("%d %d\n", h[argc], *k);
  free(h);
  free(k);
  return o[3];
}
//// a static local that the next call reads
static int a[20], o[20];
static int find(int x) {
  static int hit;
  if (x > 90) return hit;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] == x)
      hit = i;
  return 0;
}
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  o[1] = find(3);
  return o[1];
}
//// members of a record read on a way not taken
#include <stdio.h>
static int a[20], o[20];
static struct s { int at, sum; } r;
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] > 2)
      r.at = i;
    o[i] = a[i] + 1;
  }
  if (argc > 5) {
    struct s *p = &r;
    printf("%d\n", p->at);
  }
  return o[3];
}
//// handed to the library on a way not taken
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int a[20], o[20], last, on[4];
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] == 3)
      last = i;
  for (int i = 0; i < 20; i++)  // sequential
    on[a[i] & 3] = i;
  if (argc > 5) {
    if (write(1, &last, sizeof last) < 0) return 1;
    memcpy(o, on, sizeof on);
  }
  return o[3];
}
//// handed to a function that ran for others
#include <stdio.h>
static int a[20], o[20], last, on[4];
static int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] == 3)
      last = i;
  for (int i = 0; i < 20; i++)  // sequential
    on[a[i] & 3] = i;
  o[0] = sum(a, 20);
  if (argc > 5)
    return sum(on, 4) + sum(&last, 1);
  return o[3];
}
//// in an arm, in a macro, by a table of functions
#include <stdio.h>
static int a[20], o[20], last, on[4], best, *where = &best;
#define SHOW() printf("%d\n", last)
static int first(void) { return on[0]; }
static int none(void) { return 0; }
static int (*const how[])(void) = {none, first};
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] == 3)
      last = i;
  for (int i = 0; i < 20; i++)  // sequential
    on[a[i] & 3] = i;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] > 1)
      best = i;
  if (argc > 5)
    SHOW();
  o[2] = how[argc > 5]();
  return argc > 5 ? *where : o[3];
}
//// a way that an outer loop does not take
#include <stdio.h>
static int a[20], o[20], last, state;
int main(int argc, char **argv) {
  int in[3] = {0};
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < 20; i++)  // sequential
      if (a[i] == t)
        last = i;
    for (int i = 0; i < 20; i++)  // sequential
      if (a[i] == t)
        in[i & 1] = i;
    o[t] = t;
    if (argc > 5)
      o[t] += last + in[1];
  }
  return o[1];
}
//// copies of records, members, unions
#include <stdio.h>
static int a[20], o[20];
static struct s { int at, n; double v[2]; } r, t;
static union u { float f; int i; } u;
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] == 3)
      r.at = i;
  for (int i = 0; i < 20; i++)  // sequential
    r.v[a[i] & 1] = i;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] < 3)
      u.f = i;
  if (argc > 5) {
    t = r;
    printf("%d %g\n", u.i, t.v[0]);
  }
  return o[1];
}
//// what nobody reads, or each iteration writes first
#include <stdio.h>
static int a[20], o[20], tmp, count, buf[4];
int main(int argc, char **argv) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++) {  // parallel
    tmp = a[i];
    if (tmp == 3)
      tmp = 7;
    o[i] = tmp;
  }
  for (int i = 0; i < 20; i++) {  // parallel
    for (int k = 0; k < 4; k++)  // parallel
      buf[k] = a[i] + k;
    o[i] += buf[a[i] & 3];
  }
  for (int i = 0; i < 20; i++)  // parallel
    if (a[i] == 3)
      count = i;
  if (argc > 5) {
    printf("%s %d %d\n", argv[1], tmp, buf[1]);
    fprintf(stderr, "usage\n");
  }
  return o[3];
}
