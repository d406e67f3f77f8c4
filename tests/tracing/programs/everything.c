/* Most of C in one program: traced, it must print what it prints otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
  int key;
  struct node *next, *prev;
  unsigned flag : 3;
  char name[8];
} Node;
enum color { RED, GREEN = 5, BLUE };
struct pair { double x, y; } origin, other = {1, 2};
static int counter;
#define SQUARE(x) ((x) * (x))

int fib(int n) {
  if (n < 2) return n;
  return fib(n - 1) + fib(n - 2);
}
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int compare(const void *a, const void *b) {
  int x = *(const int *) a, y = *(const int *) b;
  counter++;
  return (x > y) - (x < y);
}
int (*table[2])(int) = {fib, even};
int apply(int (*f)(int), int n) { return f(n); }
Node *push(Node *list, int key) {
  Node *n = malloc(sizeof *n);
  n->key = key;
  n->next = list;
  n->prev = NULL;
  n->flag = key & 7;
  strcpy(n->name, "abc");
  if (list) list->prev = n;
  return n;
}
int total(Node *l) {
  int s = 0;
  while (l) {
    s += l->key + l->flag;
    l = l->next;
  }
  return s;
}
struct pair make(double a, double b) {
  struct pair p = {a, b};
  return p;
}
void walk(int depth) {
  for (int i = 0; i < 2; i++) {
    counter += depth;
    if (depth > 0) walk(depth - 1);
  }
}
static inline int twice(int x) { return 2 * x; }
double mean(int n, const double a[n]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s / n;
}

void control(void) {
  int a[10], i, j = 0, *p;
  const int most = 10;
  for (i = 0; i < most; i++) a[i] = (i * 7) % 10;
  qsort(a, 10, sizeof a[0], compare);
  for (i = 0; i < 10; i++) {
    if (i == 3) continue;
    if (i == 8) break;
    printf("%d ", a[i]);
  }
  do { j += 2; } while (j < 7 && j != 100);
  p = a;
  while (*p++ != 5);
  printf("%d %ld\n", j, (long) (p - a));
  switch (j) {
    case 8: j = 1;
    case 9: j++; break;
    default: j = 100;
  }
  for (i = 0, j = 10; i < j; i++, j--)
    if (i * j > 20) goto out;
out:
  printf("%d %d %d\n", i, j, twice(SQUARE(i)));
}

void values(void) {
  unsigned char c = 250;
  short sh = 32767;
  float f = 0.1f;
  int x = 5, y = x++ + 2;
  long long big = 1LL << 40;
  const char *text = "hello";
  int length = 0, m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, (*row)[4] = m, s = 0;
  c += 10;
  sh++;
  f += 0.2;
  f *= 3;
  y = y-- - --x;
  big |= 1;
  while (text[length]) length++;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) s += row[i][j] ? m[i][j] : -1;
  printf("%d %d %.9g %d %d %lld %zu %d %c %d\n", c, sh, f, x, y, big, sizeof big, length,
         "xyz"[1], s);
  struct { int u; union { int v; float w; }; } mixed = {1, {2}};
  mixed.v = 7;
  struct pair q = make(1.5, 2.5);
  q.x += q.y;
  origin = q;
  other.y = origin.x > 3 && q.y < 0 ? 1 : make(3, 4).y;
  printf("%d %g %g %d\n", mixed.u + mixed.v, origin.x, other.y, BLUE);
}

void memory(void) {
  char buffer[64];
  static int kept[3] = {1, 2, 3};
  int *z = calloc(4, sizeof(int)), *end;
  memset(buffer, 'x', 10);
  buffer[10] = 0;
  memcpy(buffer + 20, buffer, 11);
  kept[1] += kept[0];
  z[1] = 3;
  z = realloc(z, 100 * sizeof(int));
  end = &z[3];
  *end = 4;
  z[3] <<= 2;
  printf("%s %d %d %d\n", buffer + 20, kept[1], z[3], z[1]);
  free(z);
}

int main(void) {
  Node *list = NULL;
  double a[4] = {1, 2, 3, 5};
  control();
  values();
  memory();
  memory();
  for (int i = 0; i < 5; ++i) list = push(list, i);
  list->flag += 3;
  list->flag++;
  list->flag = list->flag + 1;
  printf("sum %d flag %d fib %d even %d\n", total(list), list->flag, fib(6), even(5));
  printf("apply %d %d %d\n", apply(fib, 5), table[1](4), table[0](3));
  counter = 0;
  walk(3);
  printf("%d %g\n", counter, mean(4, a));
  return 3;
}
