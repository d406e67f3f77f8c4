//// a rare store to the next one, which is read
int a[20], b[21], c[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 3 % 7;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] > 99) b[i + 1] = 5;
    c[i] = b[i];
  }
  return c[3];
}
//// fallthrough leaves a local
int a[20], o[20];
int main(void) {
  int m = 1;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i % 3;
  for (int i = 0; i < 20; i++) {  // sequential
    switch (a[i]) {
      case 0: m = 4;
      case 1: o[i] = m; break;
      default: o[i] = 0;
    }
  }
  return o[3];
}
//// a guard that remembers
int a[20], o[20];
int main(void) {
  int seen = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 5 % 20;
  for (int i = 0; i < 20; i++) {  // sequential
    if (seen) continue;
    if (a[i] > 100) seen = 1;
    o[i] = a[i];
  }
  for (int i = 0; i < 20; i++) {  // sequential
    static int quiet;
    if (!quiet) o[i]++;
    quiet |= a[i] > 500;
  }
  return o[3];
}
//// nibbles of shared bytes
unsigned char p[10];
int v[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    v[i] = i * 7 % 16;
  for (int i = 0; i < 20; i++)  // sequential
    p[i / 2] = (unsigned char)(i & 1 ? (p[i / 2] & 15) | v[i] << 4 : (p[i / 2] & 240) | v[i]);
  for (int i = 0; i < 10; i++)  // parallel
    p[i] = (unsigned char)(v[2 * i] | v[2 * i + 1] << 4);
  return p[3];
}
//// a table of states in a struct of pointers
struct node { struct node *on[2]; int out; } s[3] = {{{&s[1], &s[2]}, 0}, {{&s[2], &s[0]}, 1}, {{&s[0], &s[1]}, 2}};
int a[20], o[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * i % 3 & 1;
  struct node *at = s;
  for (int i = 0; i < 20; i++) {  // sequential
    o[i] = at->out;
    at = at->on[a[i]];
  }
  for (int i = 0; i < 20; i++)  // parallel
    o[i] = s[a[i]].on[0]->out;
  return o[3];
}
//// aggregates returned and passed
struct v2 { double x, y; };
struct v2 p[12], q[12];
static struct v2 add(struct v2 a, struct v2 b) { return (struct v2){a.x + b.x, a.y + b.y}; }
static struct v2 turn(struct v2 a) { return (struct v2){-a.y, a.x}; }
int main(void) {
  struct v2 at = {0, 1};
  for (int i = 0; i < 12; i++)  // parallel
    p[i] = (struct v2){i, 2 * i};
  for (int i = 0; i < 12; i++)  // parallel
    q[i] = add(turn(p[i]), (struct v2){1, 1});
  for (int i = 0; i < 12; i++) {  // sequential
    at = turn(add(at, p[i]));
    q[i] = at;
  }
  for (int i = 0; i < 11; i++)  // sequential
    q[i + 1] = add(q[i], p[i]);
  return q[3].x > 0;
}
//// an allocator's bump pointer through a context
struct arena { char *at; int used; };
char pool[400];
int *got[10];
static void *take(struct arena *m, int n) {
  void *p = m->at + m->used;
  m->used += n;
  return p;
}
int main(void) {
  struct arena m = {pool, 0};
  int size[10];
  for (int i = 0; i < 10; i++)  // parallel
    size[i] = 8 + 4 * (i * 3 % 4);
  for (int i = 0; i < 10; i++)  // sequential
    got[i] = take(&m, size[i]);
  for (int i = 0; i < 10; i++)  // parallel by data
    *got[i] = i;
  return *got[3];
}
//// moves within one buffer
#include <string.h>
char b[64], c[64];
int main(void) {
  for (int i = 0; i < 64; i++)  // parallel
    b[i] = (char)i;
  for (int i = 0; i < 6; i++)  // sequential
    memmove(b + 8 * i + 4, b + 8 * i, 8);
  for (int i = 0; i < 6; i++)  // parallel
    memmove(c + 8 * i, b + 8 * i + 4, 8);
  for (int i = 0; i < 5; i++)  // parallel
    memmove(c + 8 * i, c + 8 * i + 8, 8);
  for (int i = 0; i < 6; i++)  // parallel
    memset(c + 8 * i, c[8 * i], 8);
  return c[9];
}
//// a value handed on by the loop's own head
int a[20], o[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i % 3 + 1;
  for (int i = 0; i < 20; i += a[i])  // sequential
    o[i] = 1;
  int x = 1;
  for (int i = 0; i < 12; i++, x = x * 3 % 17)  // sequential
    o[i] = x;
  for (int i = 0, s = 0; s < 25 && i < 20; s += a[i++])  // sequential
    o[i] = s;
  return o[6];
}
//// half of the cells, half of the time
double p[2][18];
int main(void) {
  for (int i = 0; i < 18; i++)  // parallel
    p[0][i] = p[1][i] = i;
  int cur = 0;
  for (int t = 0; t < 6; t++) {  // sequential
    for (int i = 1; i < 17; i++)  // parallel
      p[1 - cur][i] = (p[cur][i - 1] + p[cur][i + 1]) / 2;
    cur = 1 - cur;
  }
  for (int c = 0; c < 2; c++)  // sequential
    for (int i = 1 + c; i < 17; i += 2)  // parallel
      p[0][i] = (p[0][i - 1] + p[0][i + 1]) / 2;
  return p[0][3] > 2;
}
//// what only the last but one hands on
int a[21], o[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i;
  int t = 0;
  for (int i = 0; i < 20; i++) {  // sequential
    if (i != 18) t = a[i];
    o[i] = t;
  }
  for (int i = 0; i < 20; i++)  // sequential
    a[i == 5 ? 20 : i] = a[i == 19 ? 20 : i] + 1;
  return o[18];
}
//// a function whose parameter changes
int o[12];
static int halves(int n) {
  int k = 0;
  while (n > 1) {  // sequential
    n /= 2;
    k++;
  }
  return k;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = halves(i);
  return o[5];
}
//// a counter that begins elsewhere
int o[12];
int main(void) {
  int p = 7, i = 0;
  while (i < 12) {  // sequential
    int q = p;
    while (q > 90) q--;
    o[i] = q;
    p = ++i;
  }
  return o[5];
}
//// a record that comes from nowhere
struct v2 { double x, y; } p[12], q[12];
static struct v2 add(struct v2 a, struct v2 b) { return (struct v2){a.x + b.x, a.y + b.y}; }
int main(void) {
  for (int i = 0; i < 11; i++)  // sequential
    q[i + 1] = add(q[i], p[i]);
  for (int i = 0; i < 12; i++)  // parallel
    q[i] = add(p[i], (struct v2){1, 1});
  return q[3].x > 0;
}
