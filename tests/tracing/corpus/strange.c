//// a moving average that keeps its window
double a[24], o[24];
int main(void) {
  for (int i = 0; i < 24; i++) a[i] = i * 0.5;  // parallel
  double win[4] = {0}, s = 0;
  int at = 0;
  for (int i = 0; i < 24; i++) {  // sequential
    s += a[i] - win[at];
    win[at] = a[i];
    at = (at + 1) % 4;
    o[i] = s / 4;
  }
  return o[3] > 9;
}
//// an average that forgets
double a[16] = {1, 2, 3, 4, 5}, o[16];
int main(void) {
  double avg = 0;
  for (int i = 0; i < 16; i++) {  // sequential
    avg = 0.9 * avg + 0.1 * a[i];
    o[i] = avg;
  }
  return o[3] > 9;
}
//// run lengths
unsigned char in[16] = {1, 1, 1, 2, 2, 3, 3, 3, 3, 1}, val[17];
int len[17];
int main(void) {
  int runs = 0;
  for (int i = 0; i < 16; i++) {  // sequential
    if (runs == 0 || in[i] != val[runs - 1]) {
      val[runs] = in[i];
      len[runs++] = 0;
    }
    len[runs - 1]++;
  }
  return runs & 1;
}
//// differences decoded
int d[16] = {5, 1, -1, 2, 3, 1}, o[16];
int main(void) {
  o[0] = d[0];
  for (int i = 1; i < 16; i++)  // sequential
    o[i] = o[i - 1] + d[i];
  return o[3] & 1;
}
//// differences encoded
int a[16] = {5, 1, -1, 2, 3, 1}, o[16];
int main(void) {
  for (int i = 1; i < 16; i++)  // parallel
    o[i] = a[i] - a[i - 1];
  return o[3] & 1;
}
//// Gray code and population counts
unsigned g[16], p[16];
int main(void) {
  for (unsigned i = 0; i < 16; i++) {  // parallel
    g[i] = i ^ i >> 1;
    unsigned x = g[i], n = 0;
    while (x) {  // sequential
      n += x & 1;
      x >>= 1;
    }
    p[i] = n;
  }
  return p[3] & 1;
}
//// a generator whose state is a word
unsigned o[16];
int main(void) {
  unsigned x = 7;
  for (int i = 0; i < 16; i++) {  // sequential
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    o[i] = x;
  }
  return o[3] & 1;
}
//// a hash of each row
unsigned char t[6][8];
unsigned h[6];
int main(void) {
  for (int i = 0; i < 6; i++) {  // parallel
    unsigned v = 2166136261u;
    for (int j = 0; j < 8; j++)  // sequential
      v = (v ^ t[i][j]) * 16777619u;
    h[i] = v;
  }
  return h[3] & 1;
}
//// a checksum of two sums
unsigned char t[32] = {1, 2, 3};
int main(void) {
  unsigned a = 1, b = 0;
  for (int i = 0; i < 32; i++) {  // sequential
    a = (a + t[i]) % 65521;
    b = (b + a) % 65521;
  }
  return (a ^ b) & 1;
}
//// the largest sum of neighbours
int a[16] = {1, -2, 3, 4, -1, 2, 1, -5, 4}, here, best;
int main(void) {
  for (int i = 0; i < 16; i++) {  // sequential
    here = here + a[i] > a[i] ? here + a[i] : a[i];
    best = here > best ? here : best;
  }
  return best & 1;
}
//// brackets and how deep they go
char s[] = "(a(b)(c(d)))e(f)";
int depth[16];
int main(void) {
  int d = 0;
  for (int i = 0; i < 16; i++) {  // sequential
    if (s[i] == '(') d++;
    depth[i] = d;
    if (s[i] == ')') d--;
  }
  return depth[3] & 1;
}
//// letters made large
char s[] = "The quick brown fox", o[20];
int main(void) {
  for (int i = 0; i < 19; i++)  // parallel
    o[i] = s[i] >= 'a' && s[i] <= 'z' ? s[i] - 32 : s[i];
  return o[3] & 1;
}
//// words made large
char s[] = "the quick brown fox", o[20];
int main(void) {
  int start = 1;
  for (int i = 0; i < 19; i++) {  // sequential
    o[i] = start ? s[i] - 32 : s[i];
    start = s[i] == ' ';
  }
  return o[3] & 1;
}
//// merging two sorted rows
int a[6] = {1, 3, 5, 7, 9, 11}, b[6] = {2, 4, 6, 8, 10, 12}, o[12];
int main(void) {
  int x = 0, y = 0;
  for (int k = 0; k < 12; k++)  // sequential
    o[k] = y == 6 || (x < 6 && a[x] < b[y]) ? a[x++] : b[y++];
  return o[3] & 1;
}
//// ranks instead of a merge
int a[8] = {5, 3, 8, 1, 9, 2, 7, 4}, r[8], o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // parallel
    int n = 0;
    for (int j = 0; j < 8; j++)  // reduction
      n += a[j] < a[i];
    r[i] = n;
  }
  for (int i = 0; i < 8; i++)  // parallel by data
    o[r[i]] = a[i];
  return o[3] & 1;
}
//// a bank account that may be overdrawn
int a[12] = {30, -10, 5, -8, 2, -9, 4, 1}, refused;
int main(void) {
  int money = 100;
  for (int i = 0; i < 12; i++) {  // sequential
    if (money + a[i] < 0) {
      refused++;
      continue;
    }
    money += a[i];
  }
  return money & 1;
}
//// Newton's method for each number
double a[8] = {2, 3, 4, 5, 6, 7, 8, 9}, o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // parallel
    double x = a[i];
    for (int k = 0; k < 6; k++)  // sequential
      x = (x + a[i] / x) / 2;
    o[i] = x;
  }
  return o[3] > 9;
}
//// Newton's method that begins where the last ended
double a[8] = {2, 3, 4, 5, 6, 7, 8, 9}, o[8];
int main(void) {
  double x = 1;
  for (int i = 0; i < 8; i++) {  // sequential
    for (int k = 0; k < 6; k++)  // sequential
      x = (x + a[i] / x) / 2;
    o[i] = x;
  }
  return o[3] > 9;
}
//// Lagrange's polynomials
double x[6] = {0, 1, 2, 3, 4, 5}, y[6] = {1, 4, 9, 2, 3, 5}, o[10];
int main(void) {
  for (int p = 0; p < 10; p++) {  // parallel
    double at = p * 0.4, sum = 0;
    for (int i = 0; i < 6; i++) {  // reduction
      double l = y[i];
      for (int j = 0; j < 6; j++)  // reduction
        if (j != i) l *= (at - x[j]) / (x[i] - x[j]);
      sum += l;
    }
    o[p] = sum;
  }
  return o[3] > 9;
}
//// divided differences in place
double y[7] = {1, 4, 9, 2, 3, 5, 8};
int main(void) {
  for (int k = 1; k < 7; k++)  // sequential
    for (int i = 6; i >= k; i--)  // parallel
      y[i] = (y[i] - y[i - 1]) / k;
  return y[3] > 9;
}
//// Thomas' algorithm
double a[9], b[9], c[9], d[9];
int main(void) {
  for (int i = 0; i < 9; i++) a[i] = c[i] = 1, b[i] = 4, d[i] = i;  // parallel
  for (int i = 1; i < 9; i++) {  // sequential
    double m = a[i] / b[i - 1];
    b[i] -= m * c[i - 1];
    d[i] -= m * d[i - 1];
  }
  for (int i = 7; i >= 0; i--)  // sequential
    d[i] = (d[i] - c[i] * d[i + 1]) / b[i];
  return d[3] > 9;
}
//// red and black points
double u[10];
int main(void) {
  for (int t = 0; t < 3; t++)  // sequential
    for (int c = 0; c < 2; c++)  // sequential
      for (int i = 1 + c; i < 9; i += 2)  // parallel
        u[i] = (u[i - 1] + u[i + 1] + 1) / 2;
  return u[3] > 9;
}
//// a pile of calls by hand
int left[9] = {1, 3, 5, 0, 0, 0, 0}, right[9] = {2, 4, 6, 0, 0, 0, 0}, order[9];
int main(void) {
  int stack[9], top = 1, n = 0;
  stack[0] = 0;
  while (top > 0) {  // sequential
    int v = stack[--top];
    order[n++] = v;
    if (right[v]) stack[top++] = right[v];
    if (left[v]) stack[top++] = left[v];
  }
  return n & 1;
}
//// distances by levels
int edge[8][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 7}, {7, 7}, {7, 7}, {7, 7}, {7, 7}}, dist[8];
int main(void) {
  for (int v = 1; v < 8; v++) dist[v] = -1;  // parallel
  for (int v = 0; v < 7; v++)  // sequential
    for (int e = 0; e < 2; e++)  // parallel by data
      if (dist[edge[v][e]] < 0) dist[edge[v][e]] = dist[v] + 1;
  return dist[7] & 1;
}
//// shortest ways over edges
int from[6] = {0, 0, 1, 2, 3, 1}, to[6] = {1, 2, 3, 3, 4, 4}, w[6] = {4, 1, 1, 5, 3, 9}, dist[5];
int main(void) {
  for (int v = 1; v < 5; v++) dist[v] = 1000;  // parallel
  for (int e = 0; e < 6; e++)  // sequential
    if (dist[from[e]] + w[e] < dist[to[e]]) dist[to[e]] = dist[from[e]] + w[e];
  return dist[4] & 1;
}
//// things in a bag
int w[4] = {2, 3, 4, 5}, v[4] = {3, 4, 5, 6}, best[11];
int main(void) {
  for (int i = 0; i < 4; i++)  // sequential
    for (int c = 10; c >= w[i]; c--)  // parallel
      if (best[c - w[i]] + v[i] > best[c]) best[c] = best[c - w[i]] + v[i];
  return best[10] & 1;
}
//// things that may be taken again
int w[4] = {2, 3, 4, 5}, v[4] = {3, 4, 5, 6}, best[11];
int main(void) {
  for (int i = 0; i < 4; i++)  // sequential
    for (int c = w[i]; c <= 10; c++)  // sequential
      if (best[c - w[i]] + v[i] > best[c]) best[c] = best[c - w[i]] + v[i];
  return best[10] & 1;
}
//// a picture made gray
struct rgb { unsigned char r, g, b; } pic[6][5];
unsigned char gray[6][5];
int main(void) {
  for (int y = 0; y < 6; y++)  // parallel
    for (int x = 0; x < 5; x++) {  // parallel
      struct rgb *p = &pic[y][x];
      gray[y][x] = (p->r * 3 + p->g * 6 + p->b) / 10;
    }
  return gray[3][3];
}
//// errors given to neighbours
int px[6][8], o[6][8];
int main(void) {
  for (int y = 0; y < 6; y++)  // parallel
    for (int x = 0; x < 8; x++)  // parallel
      px[y][x] = (x * 37 + y * 91) % 256;
  for (int y = 0; y < 5; y++)  // sequential
    for (int x = 1; x < 7; x++) {  // sequential
      o[y][x] = px[y][x] > 127 ? 255 : 0;
      int e = px[y][x] - o[y][x];
      px[y][x + 1] += e * 7 / 16;
      px[y + 1][x] += e * 9 / 16;
    }
  return o[3][3] & 1;
}
//// a summed area
int a[6][6], s[7][7];
int main(void) {
  for (int i = 1; i < 7; i++)  // sequential
    for (int j = 1; j < 7; j++)  // sequential
      s[i][j] = a[i - 1][j - 1] + s[i - 1][j] + s[i][j - 1] - s[i - 1][j - 1];
  return s[6][6] & 1;
}
//// medians of three
int a[14] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7}, o[14];
static void order(int *x, int *y) {
  if (*x > *y) {
    int t = *x;
    *x = *y;
    *y = t;
  }
}
int main(void) {
  for (int i = 1; i < 13; i++) {  // parallel
    int x = a[i - 1], y = a[i], z = a[i + 1];
    order(&x, &y);
    order(&y, &z);
    order(&x, &y);
    o[i] = y;
  }
  return o[3] & 1;
}
//// a cache of the last question
int a[12] = {3, 3, 4, 1, 1, 9, 2, 6, 5, 3, 5, 5}, o[12];
int slow(int v) {
  static int asked = -1, said;
  if (v != asked) {
    asked = v;
    said = v * v;
  }
  return said;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = slow(a[i]);
  return o[3] & 1;
}
//// a free list
int next[8], list = -1, got[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    next[i] = list;
    list = i;
  }
  for (int i = 0; i < 8; i++) {  // sequential
    got[i] = list;
    list = next[list];
  }
  return got[3] & 1;
}
//// a lift that turns at its ends
int seen[20];
int main(void) {
  int at = 0, step = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    seen[i] = at;
    if (at + step < 0 || at + step > 5) step = -step;
    at += step;
  }
  return seen[7] & 1;
}
//// a budget that is never spent
int cost[10] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, take[10];
int main(void) {
  int left = 1000;
  for (int i = 0; i < 10; i++) {  // sequential
    take[i] = cost[i] <= left;
    if (take[i]) left -= cost[i];
  }
  return take[3];
}
//// an error flag of a struct
struct job { int in, out; } jobs[10];
struct { int failed, last; } st;
int main(void) {
  for (int i = 0; i < 10; i++) {  // sequential
    if (st.failed) break;
    jobs[i].out = jobs[i].in * 2;
    if (jobs[i].in < 0) st.failed = 1;
  }
  return jobs[3].out;
}
//// the best candidate in a struct
struct best { int score, where; } b = {-1, -1};
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] > b.score) {
      b.score = a[i];
      b.where = i;
    }
  return b.where & 1;
}
//// a temporary buffer for each row
int a[5][6], o[5][6], tmp[6];
int main(void) {
  for (int i = 0; i < 5; i++) {  // parallel
    for (int j = 0; j < 6; j++)  // parallel
      tmp[j] = a[i][5 - j] + i;
    for (int j = 0; j < 6; j++)  // parallel
      o[i][j] = tmp[j];
  }
  return o[3][3] & 1;
}
//// a buffer that is filled in part
int a[5][6], n[5] = {6, 6, 6, 6, 6}, o[5][6], tmp[6];
int main(void) {
  for (int i = 0; i < 5; i++) {  // sequential
    for (int j = 0; j < n[i]; j++)  // parallel
      tmp[j] = a[i][j] + i;
    for (int j = 0; j < 6; j++)  // parallel
      o[i][j] = tmp[j];
  }
  return o[3][3] & 1;
}
//// a buffer that is only cleared sometimes
int a[6][4], clear[6] = {1, 1, 1, 1, 1, 1}, acc[4], o[6][4];
int main(void) {
  for (int i = 0; i < 6; i++) {  // sequential
    if (clear[i])
      for (int j = 0; j < 4; j++)  // parallel
        acc[j] = 0;
    for (int j = 0; j < 4; j++)  // parallel
      acc[j] += a[i][j];
    for (int j = 0; j < 4; j++)  // parallel
      o[i][j] = acc[j];
  }
  return o[3][3] & 1;
}
//// digits of a long sum
int a[10] = {9, 9, 1, 2}, b[10] = {1, 0, 8, 7}, o[11];
int main(void) {
  int carry = 0;
  for (int i = 0; i < 10; i++) {  // sequential
    int s = a[i] + b[i] + carry;
    o[i] = s % 10;
    carry = s / 10;
  }
  return o[3] & 1;
}
//// products of all but one
int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, left[8], o[8];
int main(void) {
  left[0] = 1;
  for (int i = 1; i < 8; i++)  // sequential
    left[i] = left[i - 1] * a[i - 1];
  int right = 1;
  for (int i = 7; i >= 0; i--) {  // sequential
    o[i] = left[i] * right;
    right *= a[i];
  }
  return o[3] & 1;
}
//// a signal that is late by one
int in[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  int reg[3] = {0};
  for (int t = 0; t < 12; t++) {  // sequential
    o[t] = reg[2];
    for (int k = 2; k > 0; k--)
      reg[k] = reg[k - 1];
    reg[0] = in[t];
  }
  return o[3] & 1;
}
//// blocks of bits turned
unsigned v[8] = {1, 2, 3, 4, 5, 6, 7, 8}, o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // parallel
    unsigned x = v[i], r = 0;
    for (int b = 0; b < 8; b++) {  // sequential
      r = r << 1 | (x & 1);
      x >>= 1;
    }
    o[i] = r;
  }
  return o[3] & 1;
}
//// a union that is read as another
union word { unsigned u; unsigned char c[4]; } w;
unsigned a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
unsigned char o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    o[i] = w.c[0];
    w.u = a[i];
  }
  for (int i = 0; i < 8; i++) {  // parallel
    w.u = a[i];
    o[i] = w.c[0];
  }
  return o[3] & 1;
}
//// counts of each own kind
struct cell { int n; struct { int lo, hi; } r; } g[6];
int a[6][4];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    for (int j = 0; j < 4; j++) {  // reduction
      if (a[i][j] < g[i].r.lo) g[i].r.lo = a[i][j];
      if (a[i][j] > g[i].r.hi) g[i].r.hi = a[i][j];
      g[i].n++;
    }
  return g[3].n & 1;
}
//// two halves that meet
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  for (int i = 0; i < 6; i++) {  // parallel
    int t = a[i];
    a[i] = a[11 - i];
    a[11 - i] = t;
  }
  for (int i = 0; i < 12; i++)  // sequential
    a[i] = a[11 - i] + 1;
  return a[3] & 1;
}
//// what is set on the way to a label
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] > 100) goto put;
    t = a[i];
  put:
    o[i] = t;
  }
  return o[3] & 1;
}
//// a choice that leaves a local
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  int sign;
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] > 0) sign = 1;
    else if (a[i] < 0) sign = -1;
    o[i] = sign * a[i];
  }
  return o[3] & 1;
}
//// the first that fits
int need[6] = {2, 3, 1, 2, 4, 1}, has[5] = {4, 4, 4, 4, 4}, where[6];
int main(void) {
  for (int i = 0; i < 6; i++) {  // sequential
    where[i] = -1;
    for (int j = 0; j < 5; j++)  // sequential
      if (has[j] >= need[i]) {
        has[j] -= need[i];
        where[i] = j;
        break;
      }
  }
  return where[3] & 1;
}
//// an index that is carried in memory
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[13];
struct out { int *at; } w = {o};
void emit(struct out *p, int v) { *p->at++ = v; }
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] & 1) emit(&w, a[i]);
  return o[3] & 1;
}
//// a count beside a recurrence that never runs
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, n, y;
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    n++;
    if (a[i] > 100) y = y * 2 + a[i];
  }
  return n + y & 1;
}
//// a count beside a value that is handed on
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], n;
int main(void) {
  int last = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    n += a[i];
    o[i] = last;
    last = a[i];
  }
  return o[3] + n & 1;
}
//// a count beside a value that a condition hands on
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], n;
int main(void) {
  int last = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    n += a[i];
    if (a[i] < 100) last = a[i];
    o[i] = last;
  }
  return o[3] + n & 1;
}
//// a count beside a cell that a condition hands on
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], last[1], n;
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    n += a[i];
    if (a[i] < 100) last[0] = a[i];
    o[i] = last[0];
  }
  return o[3] + n & 1;
}
