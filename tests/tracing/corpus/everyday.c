//// particles in a box
struct particle { double x[3], v[3]; int hits; } p[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    for (int d = 0; d < 3; d++) {  // parallel
      p[i].x[d] = i * 0.4 + d;
      p[i].v[d] = (i % 3) - 1;
    }
  for (int s = 0; s < 5; s++)  // sequential
    for (int i = 0; i < 20; i++) {  // parallel
      for (int d = 0; d < 3; d++) {  // parallel
        p[i].x[d] += p[i].v[d] * 0.5;
        if (p[i].x[d] < 0) p[i].v[d] = -p[i].v[d];
      }
      p[i].hits++;
    }
  return p[3].hits;
}
//// temperature of a rod, two arrays by pointers
double a[30], b[30];
int main(void) {
  double *now = a, *next = b;
  for (int i = 0; i < 30; i++)  // parallel
    now[i] = i == 15 ? 100 : 0;
  for (int t = 0; t < 6; t++) {  // sequential
    for (int i = 1; i < 29; i++)  // parallel
      next[i] = now[i] + 0.2 * (now[i + 1] - 2 * now[i] + now[i - 1]);
    double *h = now;
    now = next;
    next = h;
  }
  return now[15] > 1;
}
//// histogram of letters and its running total
#include <string.h>
char text[] = "the quick brown fox jumps over the lazy dog";
int count[26], below[27];
int main(void) {
  int n = (int)strlen(text);
  for (int i = 0; i < n; i++)  // reduction
    if (text[i] != ' ') count[text[i] - 'a']++;
  for (int c = 0; c < 26; c++)  // sequential
    below[c + 1] = below[c] + count[c];
  for (int c = 0; c < 26; c++)  // parallel
    count[c] = below[c + 1] - below[c];
  return below[26];
}
//// recurrences that reach back three
int f[40], g[40];
int main(void) {
  f[0] = f[1] = f[2] = 1;
  for (int i = 3; i < 40; i++)  // sequential
    f[i] = (f[i - 1] + f[i - 3]) % 101;
  for (int i = 20; i < 40; i++)  // parallel
    g[i] = g[i - 20] + f[i];
  for (int i = 10; i < 40; i++)  // sequential
    g[i] = g[i - 10] + 1;
  for (int i = 0; i < 30; i++)  // parallel
    f[i] = f[i + 10];
  return g[39] & 3;
}
//// a triangle of Pascal, and its rows turned round
int c[12][12], r[12][12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    c[i][0] = c[i][i] = 1;
    for (int j = 1; j < i; j++)  // parallel
      c[i][j] = c[i - 1][j - 1] + c[i - 1][j];
  }
  for (int i = 0; i < 12; i++)  // parallel
    for (int j = 0; j <= i; j++)  // parallel
      r[i][j] = c[i][i - j];
  return c[11][5] & 7;
}
//// Collatz lengths
int len[60];
int main(void) {
  for (int i = 1; i < 60; i++) {  // parallel
    int n = i, k = 0;
    while (n != 1) {  // sequential
      n = n % 2 ? 3 * n + 1 : n / 2;
      k++;
    }
    len[i] = k;
  }
  int best = 0;
  for (int i = 1; i < 60; i++)  // reduction
    if (len[i] > best) best = len[i];
  return best;
}
//// a maximum that is remembered in a struct
struct top { int at, value; } top = {-1, -1};
int v[15] = {3, 9, 2, 14, 7, 7, 1};
int main(void) {
  for (int i = 0; i < 15; i++)  // sequential
    if (v[i] > top.value) { top.value = v[i]; top.at = i; }
  for (int i = 0; i < 15; i++)  // parallel
    v[i] = i == top.at ? 0 : v[i] + top.value;
  return top.at;
}
//// words of a sentence
#include <string.h>
char s[] = "one two three four", *word[6];
int n[6];
int main(void) {
  int k = 0;
  for (char *w = strtok(s, " "); w; w = strtok(NULL, " "))  // sequential
    word[k++] = w;
  for (int i = 0; i < k; i++)  // parallel
    n[i] = (int)strlen(word[i]);
  for (int i = 0; i < k; i++)  // parallel
    word[i][0] -= 32;
  return n[2];
}
//// do while that counts down
int a[16], b[16];
int main(void) {
  int i = 15;
  do {  // parallel
    a[i] = i * i;
    i--;
  } while (i >= 0);
  i = 0;
  do {  // sequential
    b[i + 1] = b[i] + a[i];
    i++;
  } while (i < 15);
  return b[15] & 1;
}
//// looking for the first negative
int v[20] = {4, 2, 7, 1, -3, 5}, o[20];
int main(void) {
  int at = -1;
  for (int i = 0; i < 20; i++)  // sequential
    if (v[i] < 0) { at = i; break; }
  for (int i = 0; i < at; i++)  // parallel
    o[i] = v[i] * v[at];
  return o[2];
}
//// a static counter in a helper
int o[12];
static int ticket(void) { static int next = 100; return next++; }
static int half(int x) { static const int by[2] = {2, 3}; return x / by[x & 1]; }
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = ticket();
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = half(o[i]);
  return o[3];
}
//// matrix times vector, and its transpose
double m[9][7], x[7], y[9], z[7];
int main(void) {
  for (int i = 0; i < 9; i++)  // parallel
    for (int j = 0; j < 7; j++)  // parallel
      m[i][j] = i - j;
  for (int j = 0; j < 7; j++) x[j] = j;  // parallel
  for (int i = 0; i < 9; i++) {  // parallel
    double s = 0;
    for (int j = 0; j < 7; j++)  // reduction
      s += m[i][j] * x[j];
    y[i] = s;
  }
  for (int i = 0; i < 9; i++)  // reduction
    for (int j = 0; j < 7; j++)  // parallel
      z[j] += m[i][j] * y[i];
  return z[3] > 0;
}
//// bubble sort by passes
int a[10] = {5, 2, 9, 1, 8, 3, 7, 0, 6, 4};
int main(void) {
  int swapped = 1;
  while (swapped) {  // sequential
    swapped = 0;
    for (int i = 0; i < 9; i++)  // sequential
      if (a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
        swapped = 1;
      }
  }
  return a[3];
}
//// a linked list made and walked
#include <stdlib.h>
struct node { int v; struct node *next; };
int o[10];
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 10; i++) {  // sequential
    struct node *n = malloc(sizeof *n);
    n->v = i;
    n->next = head;
    head = n;
  }
  int k = 0;
  for (struct node *p = head; p; p = p->next)  // sequential
    o[k++] = p->v;
  struct node *keep[10];
  k = 0;
  for (struct node *p = head; p; p = p->next)  // sequential
    keep[k++] = p;
  for (int i = 0; i < 10; i++)  // parallel
    keep[i]->v *= 2;
  for (int i = 0; i < 10; i++)  // parallel
    free(keep[i]);
  return o[2];
}
//// a random walk, and a seeded one of each
#include <stdlib.h>
int pos[10], own[10];
int main(void) {
  srand(7);
  for (int i = 0; i < 10; i++)  // sequential
    pos[i] = rand() % 6;
  for (int i = 0; i < 10; i++) {  // parallel
    unsigned seed = (unsigned)i;
    own[i] = rand_r(&seed) % 6;
  }
  unsigned state = 1;
  for (int i = 0; i < 10; i++) {  // sequential
    state = state * 1103515245u + 12345u;
    pos[i] += state >> 28;
  }
  return pos[2] + own[3];
}
//// a grid with an edge that is left out
int g[8][8], h[8][8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++) {  // parallel
      if (i == 0 || j == 0 || i == 7 || j == 7) continue;
      g[i][j] = i ^ j;
    }
  for (int i = 1; i < 7; i++)  // parallel
    for (int j = 1; j < 7; j++) {  // parallel
      int n = 0;
      for (int di = -1; di <= 1; di++)  // reduction
        for (int dj = -1; dj <= 1; dj++)  // reduction
          n += g[i + di][j + dj] > 3;
      h[i][j] = n == 3 || (n == 2 && g[i][j]);
    }
  return h[3][3];
}
//// the same array under two names
int v[20];
void shift(int *to, const int *from, int n) {
  for (int i = 0; i < n; i++)  // sequential
    to[i] = from[i] + 1;
}
void copy(int *to, const int *from, int n) {
  for (int i = 0; i < n; i++)  // parallel
    to[i] = from[i] + 1;
}
int main(void) {
  shift(v + 1, v, 19);
  copy(v, v + 10, 10);
  return v[5];
}
//// a state machine over characters
char in[] = "a1b22c333", out[12];
int main(void) {
  int state = 0, k = 0;
  for (int i = 0; in[i]; i++) {  // sequential
    int digit = in[i] >= '0' && in[i] <= '9';
    if (state == 0 && digit) state = 1;
    else if (state == 1 && !digit) { state = 0; out[k++] = '-'; }
    out[k++] = in[i];
  }
  for (int i = 0; i < 9; i++) {  // parallel
    switch (in[i] & 3) {
      case 0: out[i] = '0'; break;
      case 1: out[i] = in[i]; break;
      default: out[i] = '*';
    }
  }
  return out[3] == '-';
}
//// goto that goes over
int a[10] = {3, 0, 2, 5}, o[10];
int main(void) {
  for (int i = 0; i < 10; i++) {  // parallel
    int n = a[i];
    if (n > 2) goto large;
    o[i] = n;
    continue;
  large:
    o[i] = n - 2;
  }
  int bad = 0;
  for (int i = 0; i < 10; i++) {  // sequential
    if (a[i] > 4) goto out;
    o[i]++;
  }
out:
  return bad + o[2];
}
//// conditionally written scalar
int a[12] = {5, 1, 8, 2, 9, 3}, o[12], p[12];
int main(void) {
  int last = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] > 4) last = a[i];
    o[i] = last;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    int x = 0;
    if (a[i] > 4) x = a[i];
    p[i] = x;
  }
  int y;
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] > 4) y = 1;
    else y = 2;
    p[i] += y;
  }
  return o[2] + p[3];
}
//// compressed rows
int row[6] = {0, 2, 2, 5, 6, 9}, col[9] = {0, 3, 1, 2, 4, 0, 1, 3, 4};
double val[9], x[5] = {1, 2, 3, 4, 5}, y[5];
int main(void) {
  for (int k = 0; k < 9; k++) val[k] = k + 1;  // parallel
  for (int r = 0; r < 5; r++) {  // parallel
    double s = 0;
    for (int k = row[r]; k < row[r + 1]; k++)  // reduction
      s += val[k] * x[col[k]];
    y[r] = s;
  }
  for (int r = 0; r < 5; r++)  // parallel by data
    for (int k = row[r]; k < row[r + 1]; k++)  // parallel
      val[k] *= 2;
  return y[2] > 3;
}
//// rows of their own lengths
int n[6] = {3, 0, 5, 1, 4, 2}, m[6][6], t[6];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    for (int j = 0; j < n[i]; j++)  // parallel
      m[i][j] = i * j;
  for (int i = 0; i < 6; i++)  // parallel
    for (int j = 0; j < n[i]; j++)  // reduction
      t[i] += m[i][j];
  return t[4];
}
//// a stack of open brackets
char s[] = "(()(()))()";
int stack[12], match[12];
int main(void) {
  int top = 0;
  for (int i = 0; s[i]; i++) {  // sequential
    if (s[i] == '(') stack[top++] = i;
    else match[i] = stack[--top];
  }
  return match[7];
}
//// an image turned and mirrored
unsigned char p[6][8], q[8][6], w[6][8];
int main(void) {
  for (int y = 0; y < 6; y++)  // parallel
    for (int x = 0; x < 8; x++)  // parallel
      p[y][x] = (unsigned char)(16 * y + x);
  for (int y = 0; y < 6; y++)  // parallel
    for (int x = 0; x < 8; x++)  // parallel
      q[x][5 - y] = p[y][x];
  for (int y = 0; y < 6; y++)  // parallel
    for (int x = 0; x < 4; x++) {  // parallel
      unsigned char t = p[y][x];
      p[y][x] = p[y][7 - x];
      p[y][7 - x] = t;
    }
  for (int y = 0; y < 6; y++)  // parallel
    for (int x = 1; x < 8; x++)  // sequential
      w[y][x] = (unsigned char)((w[y][x - 1] + p[y][x]) / 2);
  return q[3][2];
}
//// Horner, and powers
double c[8] = {1, 2, 3, 4}, pw[8], o[8];
int main(void) {
  double x = 1.5, r = 0;
  for (int i = 7; i >= 0; i--)  // sequential
    r = r * x + c[i];
  double f = 1;
  for (int i = 0; i < 8; i++) {  // sequential
    pw[i] = f;
    f *= x;
  }
  for (int i = 0; i < 8; i++) o[i] = c[i] * pw[i];  // parallel
  double s = 0, q = 1;
  for (int i = 0; i < 8; i++) {  // reduction
    s += o[i];
    q *= 1 + c[i];
  }
  return s + q + r > 3;
}
//// out of order writes by a permutation
int perm[8] = {3, 1, 0, 2, 7, 6, 5, 4}, a[8], inv[8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    inv[perm[i]] = i;
  for (int i = 0; i < 8; i++)  // parallel
    a[i] = inv[perm[i]];
  for (int i = 0; i < 8; i++)  // parallel by data
    a[perm[i]] += i;
  return a[2];
}
//// a queue in a ring
int ring[4], o[16];
int main(void) {
  int head = 0, size = 0;
  for (int i = 0; i < 16; i++) {  // sequential
    if (size == 4) { o[i] = ring[head]; head = (head + 1) % 4; size--; }
    ring[(head + size++) % 4] = i;
  }
  return o[9];
}
//// errors that are counted, and told
#include <stdio.h>
int a[10] = {1, 2, 3, 4}, bad, o[10];
int main(void) {
  for (int i = 0; i < 10; i++) {  // sequential
    if (a[i] > 50) { fprintf(stderr, "%d\n", i); continue; }
    o[i] = a[i];
  }
  for (int i = 0; i < 10; i++) {  // reduction
    if (a[i] < 0) bad++;
    o[i] += 2;
  }
  for (int i = 0; i < 10; i++)  // sequential
    printf("%d ", o[i]);
  return 0;
}
//// functions that call functions
int a[10], b[10];
static int inner(int i) { return a[i] + 1; }
static int outer(int i) { return inner(i) * inner((i + 1) % 10); }
static void put(int i, int v) { b[i] = v; }
static int take(int i) { return b[i - 1]; }
int main(void) {
  for (int i = 0; i < 10; i++) a[i] = i;  // parallel
  for (int i = 0; i < 10; i++)  // parallel
    put(i, outer(i));
  for (int i = 1; i < 10; i++)  // sequential
    put(i, take(i) + outer(i));
  return b[7] & 1;
}
//// a matrix on the heap
#include <stdlib.h>
int main(void) {
  int n = 7;
  double **m = malloc(n * sizeof *m), *d = malloc(n * n * sizeof *d);
  for (int i = 0; i < n; i++)  // parallel
    m[i] = malloc(n * sizeof **m);
  for (int i = 0; i < n; i++)  // parallel
    for (int j = 0; j < n; j++)  // parallel
      m[i][j] = d[i * n + j] = i + j;
  for (int i = 1; i < n; i++)  // sequential
    for (int j = 0; j < n; j++)  // parallel
      m[i][j] += m[i - 1][j];
  for (int i = 0; i < n; i++)  // parallel
    for (int j = 1; j < n; j++)  // sequential
      d[i * n + j] += d[i * n + j - 1];
  for (int i = 0; i < n; i++) free(m[i]);  // parallel
  return d[20] > 3;
}
//// numbers to texts
#include <stdio.h>
#include <string.h>
char line[6][12], all[80];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    sprintf(line[i], "%d:%d", i, i * i);
  for (int i = 0; i < 6; i++)  // sequential
    strcat(all, line[i]);
  int n = 0;
  for (int i = 0; i < 6; i++)  // sequential
    n += sprintf(all + n, "%s;", line[i]);
  for (int i = 0; i < 6; i++)  // parallel
    memset(line[i], '-', 3);
  return all[3];
}
//// greatest common divisors
int a[9] = {12, 18, 7, 30, 8, 9, 100, 64, 5}, g[9];
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
int main(void) {
  for (int i = 0; i < 9; i++) {  // parallel
    int x = a[i], y = 24;
    while (y) { int t = x % y; x = y; y = t; }  // sequential
    g[i] = x;
  }
  int all = 0;
  for (int i = 0; i < 9; i++)  // sequential
    all = gcd(all, a[i]);
  return all + g[3];
}
//// binary search in each row
int t[16], q[6] = {3, 8, 15, 22, 30, 1}, at[6];
int main(void) {
  for (int i = 0; i < 16; i++) t[i] = 2 * i;  // parallel
  for (int k = 0; k < 6; k++) {  // parallel
    int lo = 0, hi = 16;
    while (lo < hi) {  // sequential
      int mid = (lo + hi) / 2;
      if (t[mid] < q[k]) lo = mid + 1;
      else hi = mid;
    }
    at[k] = lo;
  }
  return at[3];
}
//// union of a struct and a view of its bytes
#include <string.h>
union u { unsigned w; unsigned char b[4]; } v[8];
int main(void) {
  for (int i = 0; i < 8; i++) v[i].w = 0x01020304u * i;  // parallel
  for (int i = 0; i < 8; i++) {  // parallel
    unsigned char t = v[i].b[0];
    v[i].b[0] = v[i].b[3];
    v[i].b[3] = t;
  }
  for (int i = 1; i < 8; i++)  // sequential
    memcpy(v[i].b, v[i - 1].b, 2);
  return v[3].b[1];
}
//// exclusive or of bits, and a crc
unsigned d[10] = {1, 22, 333, 4444}, crc[10], all;
int main(void) {
  for (int i = 0; i < 10; i++)  // reduction
    all ^= d[i];
  unsigned c = ~0u;
  for (int i = 0; i < 10; i++) {  // sequential
    c ^= d[i];
    for (int k = 0; k < 8; k++)  // sequential
      c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
    crc[i] = c;
  }
  return crc[9] & 1;
}
//// tables made once and asked
double sine[32], o[50];
static double look(int i) { return sine[i & 31]; }
int main(void) {
  double s = 0, c = 1;
  for (int i = 0; i < 32; i++) {  // sequential
    sine[i] = s;
    double n = s * 0.98 + c * 0.19;
    c = c * 0.98 - s * 0.19;
    s = n;
  }
  for (int i = 0; i < 50; i++)  // parallel
    o[i] = look(i) + look(i * 3);
  return o[5] > 1;
}
//// every second, and blocks
int a[40], s[10];
int main(void) {
  for (int i = 0; i < 40; i += 2)  // parallel
    a[i] = i;
  for (int i = 1; i < 40; i += 2)  // parallel
    a[i] = a[i - 1] + 1;
  for (int b = 0; b < 40; b += 8)  // parallel
    for (int i = b; i < b + 8; i++)  // parallel
      a[i] *= 2;
  for (int b = 0; b < 10; b++)  // parallel
    for (int i = 4 * b; i < 4 * b + 4; i++)  // reduction
      s[b] += a[i];
  return s[3];
}
//// a filter with memory, and one without
float in[24], out[24], y[24];
int main(void) {
  for (int i = 0; i < 24; i++) in[i] = (float)(i % 5);  // parallel
  float z = 0;
  for (int i = 0; i < 24; i++) {  // sequential
    z = 0.8f * z + 0.2f * in[i];
    out[i] = z;
  }
  for (int i = 2; i < 22; i++) {  // parallel
    float acc = 0;
    for (int k = -2; k <= 2; k++) acc += in[i + k];  // reduction
    y[i] = acc / 5;
  }
  return out[9] > y[3];
}
//// selection sort
int a[9] = {4, 8, 1, 9, 0, 3, 7, 2, 6};
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    int m = i;
    for (int j = i + 1; j < 9; j++)  // sequential
      if (a[j] < a[m]) m = j;
    int t = a[i];
    a[i] = a[m];
    a[m] = t;
  }
  return a[4];
}
//// a budget that is spent
int cost[10] = {3, 4, 2, 6, 1, 5}, bought[10];
int main(void) {
  int left = 12;
  for (int i = 0; i < 10; i++)  // sequential
    if (cost[i] && cost[i] <= left) { left -= cost[i]; bought[i] = 1; }
  int once = 1;
  for (int i = 0; i < 10; i++) {  // sequential
    bought[i] += once;
    once = 0;
  }
  return left;
}
//// a triangle summed
int a[10][10];
int main(void) {
  int s = 0;
  for (int i = 0; i < 10; i++)  // reduction
    for (int j = 0; j <= i; j++)  // reduction
      s += a[i][j];
  return s & 1;
}
//// how many steps until it is large
int n[8][8];
int main(void) {
  int k = 0;
  for (int y = 0; y < 8; y++)  // parallel
    for (int x = 0; x < 8; x++) {  // parallel
      double u = 0, v = 0;
      for (k = 0; k < 20 && u * u + v * v < 4; k++) {  // sequential
        double t = u * u - v * v + x / 4.0 - 1.5;
        v = 2 * u * v + y / 4.0 - 1;
        u = t;
      }
      n[y][x] = k;
    }
  return n[3][4] & 1;
}
//// how often the largest changes
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, most, n;
void bump(void) { n++; }
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > most) { most = a[i]; n++; }
  most = 0;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > most) { most = a[i]; bump(); }
  most = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] <= most) continue;
    most = a[i];
    n++;
  }
  return n & 1;
}
//// how often the largest stays
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, h[4], most, n;
void bump(void) { n++; }
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > most) most = a[i]; else n++;
  most = 0;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > most) most = a[i];
    else n++;
  most = 0;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > most) most = a[i];
    else h[1]++;
  most = 0;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > most) most = a[i];
    else bump();
  return (n + h[1]) & 1;
}
//// what comes of the largest
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12], o[12], most;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > most) most = a[i];
    else o[i] = 1;
  int large = 0, where = 0;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > large) { large = a[i]; where = b[i]; }
  return (o[3] + where) & 1;
}
//// the largest, and sums beside it
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, *rows[6], most, n;
int main(void) {
  for (int i = 0; i < 6; i++) rows[i] = a + i;  // parallel
  for (int i = 0; i < 12; i++) {  // reduction
    if (a[i] > most) most = a[i];
    n += a[i];
  }
  most = 0;
  for (int i = 0; i < 6; i++)  // reduction
    for (int j = 0; j < 3; j++)  // reduction
      if (rows[i][j * 2] > most) most = rows[i][j * 2];
  return n & 1;
}
//// a running sum that is kept
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], h[4], s;
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    s += a[i];
    o[i] = s;
  }
  for (int i = 0; i < 12; i++) {  // sequential
    s += a[i];
    int t = s * 2;
    o[i] = t;
  }
  for (int i = 0; i < 12; i++) {  // sequential
    h[1] += a[i];
    int *p = h;
    o[i] = p[1];
  }
  for (int i = 0; i < 12; i++)  // reduction
    s += a[i];
  return o[3] & 1;
}
