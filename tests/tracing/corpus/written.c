//// a pair without a name, by its address
struct pair { int x, y; };
int o[20];
static int last(const struct pair *p) { return p->x * 2 + p->y; }
int main(void) {
  int prev = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    prev = last(&(struct pair){prev & 7, i});
    o[i] = prev;
  }
  return o[5] & 1;
}
//// a number without a name, by its address
int o[20];
static int twice(const int *p) { return *p * 2 + 1; }
int main(void) {
  int prev = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    prev = twice(&(int){prev & 7});
    o[i] = prev;
  }
  return o[5] & 1;
}
//// a call in a pair without a name
struct pair { int x, y; };
int n, o[20];
static int next(void) { return ++n; }
static int sum(const struct pair *p) { return p->x + p->y; }
int main(void) {
  for (int i = 0; i < 20; i++)  // sequential
    o[i] = sum(&(struct pair){next(), i});
  return o[5] & 1;
}
//// texts in letters of any case
#include <strings.h>
char s[4] = "Ax";
int o[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // sequential
    o[i] = strcasecmp(s, "ab");
    s[1] = 'a' + i;
  }
  return o[3] & 1;
}
//// how far was read
#include <stdio.h>
static const char text[] = "1 22 333 4 55 666 7 88 999";
static int used, o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    int v;
    o[i] = used;
    sscanf(text + i, "%d%n", &v, &used);
  }
  printf("%d\n", o[5]);
}
//// a letter that is read beside another one
#include <stdio.h>
static const char text[] = "abcdefghij";
static struct { char c, prev; } s;
static int o[10];
int main(void) {
  s.prev = 1;
  for (int i = 0; i < 10; i++) {  // sequential
    sscanf(text + i, "%c", &s.c);
    o[i] = s.prev + s.c;
    s.prev = s.c;
  }
  printf("%d\n", o[5]);
}
//// a function of a function that calls
int o[20];
static int half(int v) { return v / 2 + 3; }
static int (*get(int k))(int) { (void)k; return half; }
int main(void) {
  int (*h)(int) = half, prev = 1000;
  for (int i = 0; i < 20; i++) {  // sequential
    prev = (i & 1 ? h : get(i))(prev);
    o[i] = prev;
  }
  return o[5] & 1;
}
//// bits beside bits that another iteration reads
struct { unsigned sum : 15, odd : 1; } s;
int o[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // sequential
    o[i] = s.sum;
    s.sum = s.sum + i;
    s.odd = i & 1;
  }
  return o[5] & 1;
}
//// bits beside bits that a call writes
struct { unsigned sum : 15, last : 15; } s;
int o[20];
static int next(int i) { return s.sum = (s.sum + i) & 255; }
int main(void) {
  for (int i = 0; i < 20; i++) {  // sequential
    s.last = next(i);
    o[i] = s.last;
  }
  return o[5] & 1;
}
//// a function by a pointer that is dereferenced
int a[40], b[40];
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = i * 7 % 11;  // parallel
  int (*f)(int) = inc;
  for (int i = 0; i < 40; i++) {  // sequential
    b[i] = (*f)(i);
    f = a[i] > 5 ? inc : dec;
  }
  return b[3] & 1;
}
//// an address that is made of several, handed to a function
#include <stdlib.h>
struct node { int next; };
int order[100];
static void join(struct node *n, int to) { n->next = to; }
int main(void) {
  struct node *list = malloc(100 * sizeof *list);
  int prev = 0;
  for (int i = 0; i < 100; i++) order[i] = i;  // parallel
  for (int i = 1; i < 100; i++) {  // sequential
    join(&list[prev], order[i]);
    prev = order[i];
  }
  return list[0].next & 1;
}
//// memory that is freed later
#include <stdlib.h>
int a[40], b[40];
int main(void) {
  int *prev = malloc(4);
  for (int i = 0; i < 40; i++) {  // sequential
    int *q = malloc(4);
    *q = a[i];
    b[i] = *q;
    free(prev);
    prev = q;
  }
  return b[3] & 1;
}
//// more arguments than are followed
int a[20], b[20];
static void put(int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
                int a11, int a12, int a13, int a14, int a15, int a16, int x, int *to) {
  *to = x + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15 + a16;
}
int main(void) {
  int x = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    put(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, x, &a[i]);
    x = b[i];
  }
  return a[3] & 1;
}
//// a function of the library by a pointer
#include <math.h>
double a[100];
static void iterate(double (*f)(double)) {
  double x = 1;
  for (int i = 0; i < 100; i++) {  // sequential
    x = f(x);
    a[i] = x;
  }
}
int main(void) {
  iterate(cos);
  return a[9] > 0;
}
//// what the first that reads it takes from the iteration before
double a[100], b[100];
int main(void) {
  double x = 0;
  for (int i = 0; i < 100; i++) {  // sequential
    if (i != 1) x = a[i] * 2;
    if (i >= 1) b[i] = x + 1;
  }
  return b[1] > 0;
}
//// a member that is called as a variable
int a[100], b[100];
int main(void) {
  int last = 7;
  struct entry { int last; } e;
  int *p = &last;
  e.last = 0;
  for (int i = 0; i < 100; i++) {  // sequential
    b[i] = *p;
    last = a[i];
  }
  return b[9] + e.last;
}
//// a list in memory that goes down by equal steps
#include <alloca.h>
struct node { struct node *next; int v; };
int main(void) {
  struct node *prev = 0;
  for (int i = 0; i < 50; i++) {  // sequential
    struct node *n = alloca(sizeof *n);
    n->v = i;
    if (i > 0) prev->next = n;
    prev = n;
  }
  return prev->v & 1;
}
//// an array as long as the one before says
int len[100];
int main(void) {
  len[0] = 1;
  for (int i = 1; i < 100; i++) {  // sequential
    char row[len[i - 1]];
    len[i] = sizeof row + 1;
  }
  return len[99] & 1;
}
//// half of a number written by the library
#include <string.h>
int cell, b[100], c[100];
int main(void) {
  for (int i = 0; i < 100; i++) c[i] = i << 16;  // parallel
  for (int i = 0; i < 100; i++) {  // sequential
    memset(&cell, 0, 2);
    b[i] = cell;
    cell = c[i];
  }
  return b[9] & 1;
}
//// a pointer that is kept as well
struct node { int next, v; } pool[40], *seen[1];
int o[40];
int main(void) {
  for (int i = 0; i < 40; i++) pool[i].next = (i + 1) % 40, pool[i].v = i;  // parallel
  struct node *p = pool;
  for (int i = 0; i < 39; i++) {  // sequential
    o[i] = p->v;
    p = seen[0] = &pool[p->next];
  }
  return o[3] & 1;
}
//// a row of rows that is kept as well
int next[40][2], o[40], *seen;
int main(void) {
  for (int i = 0; i < 40; i++) next[i][0] = (i + 1) % 40;  // parallel
  int *p = next[0];
  for (int i = 0; i < 39; i++) {  // sequential
    o[i] = p[1];
    p = seen = next[p[0]];
  }
  return o[3] & 1;
}
//// an array as long as chance says
#include <stdlib.h>
int o[50];
int main(void) {
  for (int i = 0; i < 50; i++) {  // sequential
    char row[rand() % 9 + 1];
    row[0] = i;
    o[i] = sizeof row;
  }
  return o[3] & 1;
}
//// an array as long as a function says
static int seed = 1;
int o[50];
static int next(void) { return seed = seed * 5 % 17 + 1; }
int main(void) {
  for (int i = 0; i < 50; i++) {  // sequential
    int(*p)[next()] = 0;
    o[i] = p == 0;
  }
  for (int i = 0; i < 50; i++)  // sequential
    o[i] = (int(*)[next()]) o != 0;
  for (int i = 0; i < 50; i++)  // sequential
    o[i] = sizeof(char[2][next()]);
  for (int i = 0; i < 50; i++) {  // sequential
    typedef char row[next()];
    row r;
    o[i] = sizeof r;
  }
  for (int i = 0; i < 50; i++) {  // sequential
    char row[next()];
    row[0] = i;
    o[i] = sizeof row;
  }
  return o[3] & 1;
}
//// a type as long as the one before says
int a[50], o[50];
int main(void) {
  for (int i = 0; i < 50; i++) a[i] = i * i % 7;  // parallel
  int n = 1;
  for (int i = 0; i < 50; i++)  // sequential
    o[i] = n = sizeof(char[n]) * 3 % 7 + a[i];
  for (int i = 0; i < 50; i++) {  // sequential
    typedef char row[n + 1];
    row r;
    o[i] = n = sizeof r * 3 % 7 + a[i];
  }
  return o[49] & 1;
}
//// an extreme in a byte, beside an earlier comparison
int a[12] = {3, 1, 400, 1, 5, 9, 2, 6, 500, 3, 5, 8};
unsigned char byte;
int main(void) {
  int first = a[0] > byte;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > byte) byte = a[i];
  return (byte + first) & 1;
}
//// an extreme in a byte, by pointers that are alone
int a[12] = {3, 1, 400, 1, 5, 9, 2, 6, 500, 3, 5, 8};
void f(unsigned char *__restrict__ m, int *__restrict__ a) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > *m) *m = a[i];
}
int main(void) {
  unsigned char m = 0;
  f(&m, a);
  return m & 1;
}
