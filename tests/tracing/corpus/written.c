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
