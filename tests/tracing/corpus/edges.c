//// bounds in memory that rarely change
int n[4] = {6, 5, 4, 3}, a[8] = {1, 2, 3}, o[8], *q = n;
void grow(int r) { if (a[r] > 90) n[0]++; }
int main(void) {
  for (int i = 0; i < n[0]; i++) {  // sequential
    o[i] = a[i];
    if (a[i] > 90) n[0] = 0;
  }
  for (int i = 0; i < n[0]; i++) {  // sequential
    o[i] = a[i];
    grow(i);
  }
  for (int i = 0; i < n[0]; i++) {  // sequential
    o[i] = a[i];
    if (a[i] > 90) *q = 0;
  }
  int r = 0;
  for (int i = 0; i < n[r]; i++) {  // sequential
    o[i] = a[i];
    if (a[i] > 90) r = 1;
  }
  for (int i = 0; i < n[i & 3]; i++)  // sequential
    o[i] = a[i];
  return o[2];
}
//// rare stores that are read
int a[12] = {1, 2, 3}, flag[13], o[12], g[12], *p = g;
struct s { int x, y; } t[12];
void set(int i) { if (a[i] > 90) flag[i + 1] = 1; }
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = flag[i];
    if (a[i] > 90) flag[i + 1] = 1;
  }
  for (int i = 1; i < 12; i++) {  // sequential
    if (a[i] > 90) flag[i] = 1;
    o[i] = flag[i - 1];
  }
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] > 90) g[i] = 1;
    o[i] = p[11 - i];
  }
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = flag[i];
    set(i);
  }
  for (int i = 0; i < 12; i++) {  // sequential
    int *w = &g[i / 2];
    if (a[i] > 90) g[i] = 1;
    o[i] = *w;
  }
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] > 90) t[11 - i].x = 3;
    o[i] = t[i].x;
  }
  for (int i = 0, j = 0; i < 12; i++) {  // sequential
    if (a[i] > 90) g[j] = 1;
    o[i] = g[j];
    j = i / 3;
  }
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] > 90) g[0] += 1;
    o[i] = i;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] > 90) flag[i] = 1;
    o[i] = a[i] * 2;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] > 90) t[i].x = 1;
    t[i].y = t[i].x + 1;
  }
  return o[2];
}
//// places that data give
int a[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, o[24], k;
void go(void) { k += 1; }
void jump(int i) { k = a[i]; }
int main(void) {
  for (int i = 0; i < 12; i++) {  // parallel by data
    int j = a[i];
    o[j] += o[j + 12];
  }
  for (int i = 0; i < 12; i++) {  // sequential
    o[k] += 1;
    go();
  }
  for (int i = 0; i < 12; i++) {  // parallel by data
    jump(i);
    o[k] += 1;
  }
  int j = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[j] += 1;
    if (a[i] < 90) j++;
  }
  return o[2];
}
//// steps that change
int a[40] = {1, 2, 3}, o[40], at[5] = {0, 3, 6, 9, 12};
int main(void) {
  for (int i = 0, w = 1; i < 30; i += w) {  // sequential
    o[i] = a[i];
    w = w + 1;
  }
  int s = 2;
  for (int i = 0; i < 30; i += s) {  // sequential
    o[i] = a[i];
    if (a[i] > 90) s = 3;
  }
  int k = 0;
  for (int r = 0; r < 4; r++)  // sequential
    for (int i = at[r]; i < at[r + 1]; i++) {  // parallel
      o[k] = a[i];
      k++;
    }
  k = 0;
  for (int r = 0; r < 4; r++)  // sequential
    for (int i = at[r]; i < at[r + 1]; i++)  // sequential
      if (a[i]) o[k++] = a[i];
  for (int r = 0; r < 4; r++)  // sequential
    for (int i = at[r]; i < at[r + 1]; i++)  // sequential
      at[r + 1] += i > 90;
  return o[2];
}
//// labels
int a[12] = {5, 3, 9, 1}, o[12];
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] > 90) goto keep;
    t = a[i];
  keep:
    o[i] = t;
  }
  for (int i = 0; i < 12; i++) {  // sequential
    for (int j = 0; j < 3; j++)  // parallel by data
      if (a[i] == j + 90) goto next;
    t = t * 3 + i;
  next:
    o[i] = t;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    int u = 0;
    if (a[i] > 4) goto big;
    u = 1;
  big:
    o[i] = u;
  }
  return o[3];
}
//// lists of constants without names
struct pair { int x, y; } v;
int a[50], o[50];
static void add(int *t, int x) { t[0] += x; t[1] -= x; }
static int more(struct pair *p, int x) { return p->x += x; }
int main(void) {
  for (int i = 0; i < 50; i++) a[i] = i * 7 % 13;  // parallel
  for (int i = 0; i < 50; i++)  // parallel
    o[i] = more(&(struct pair){3, 4}, a[i]);
  for (int i = 0; i < 50; i++) {  // parallel
    int *n = &(int){3};
    *n += a[i];
    o[i] = *n + (int){4};
  }
  for (int i = 0; i < 50; i++) {  // parallel
    v = (struct pair){3, 4};
    o[i] = v.x + (struct pair){5, 6}.y;
  }
  for (int i = 0; i < 50; i++) {  // parallel
    int *t = (int[2]){0};
    add(t, a[i]);
    o[i] = t[0] - t[1];
  }
  return o[3] & 1;
}
//// members of what is chosen
struct inner { int n[2]; };
struct pair { int x, y : 5; struct inner in; } p, q;
int a[50], o[50];
int main(void) {
  p.x = q.y = 3, p.in.n[1] = 4;
  for (int i = 0; i < 50; i++) a[i] = i * 7 % 13;  // parallel
  for (int i = 0; i < 50; i++)  // parallel
    o[i] = (a[i], q).x;
  for (int i = 0; i < 50; i++)  // parallel
    o[i] = (a[i] > 3 ? p : q).in.n[i & 1];
  for (int i = 0; i < 50; i++)  // parallel
    o[i] = (a[i] > 3 ? p : q).y;
  for (int i = 0; i < 50; i++) {  // sequential
    o[i] = (a[i] > 3 ? p : q).in.n[1];
    q.in.n[1] = o[i] + p.x;
  }
  for (int i = 0; i < 50; i++) {  // sequential
    o[i] = (a[i], q).in.n[1];
    q.in.n[1] = o[i] * 2;
  }
  for (int i = 0; i < 50; i++)  // parallel
    o[i] = (a[i] > 3 ? p : q).x;
  return o[3] & 1;
}
//// lengths that only look like calls
static int next(void) { return 3; }
int o[50];
int main(void) {
  for (int i = 0; i < 50; i++) {  // parallel
    char row[sizeof(next())] = {0};
    switch (i & 1) {
      case 0:;
        char other[sizeof(next())];
      default: o[i] = sizeof row + sizeof other;
    }
  }
  return o[3] & 1;
}
//// cells by the length of a type
int len[50], b[120], o[50];
int main(void) {
  for (int i = 0; i < 50; i++) len[i] = i + 60;  // parallel
  for (int i = 0; i < 50; i++) {  // parallel by data
    typedef char row[len[i]];
    row r;
    b[sizeof r] = i;
    o[i] = b[i];
  }
  return o[3] & 1;
}
