//// a local that a condition hands over
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] < 100) t = a[i];
    o[i] = t;
  }
  return o[3] & 1;
}
//// a global that a condition hands over
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], t;
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] < 100) t = a[i];
    o[i] = t;
  }
  return o[3] & 1;
}
//// a field that a condition hands over
struct state { int last, n; } st;
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int run(struct state *s) {
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] < 100) s->last = a[i];
    o[i] = s->last;
  }
  return o[3] & 1;
}
int main(void) { return run(&st); }
//// a function that hands over on a condition
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
void set(int *t, int v) {
  if (v < 100) *t = v;
}
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    set(&t, a[i]);
    o[i] = t;
  }
  return o[3] & 1;
}
//// the last of a row of its own length
int row[5] = {0, 2, 5, 7, 12}, v[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[4];
int main(void) {
  int last = 0;
  for (int i = 0; i < 4; i++) {  // sequential
    for (int k = row[i]; k < row[i + 1]; k++)
      last = v[k];
    o[i] = last;
  }
  return o[3] & 1;
}
//// a local whose condition is asked in an and
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    a[i] < 100 && (t = a[i]);
    o[i] = t;
  }
  return o[3] & 1;
}
//// a local set in a switch that has no other way
int a[12] = {0, 1, 2, 1, 0, 0, 2, 1, 1, 2, 2, 1}, o[12];
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    switch (a[i]) {
      case 0: t = 5; break;
      case 1: t = 7; break;
      case 2: t = 9; break;
    }
    o[i] = t;
  }
  return o[3] & 1;
}
//// a local that is given to a function
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int twice(int v) { return 2 * v; }
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] < 100) t = twice(a[i]);
    o[i] = twice(t);
  }
  return o[3] & 1;
}
//// both ways write
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], p[12], u;
int main(void) {
  int t = 0, w;
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] < 100) t = a[i];
    else t = 3;
    o[i] = t;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    switch (a[i]) {
      case 0: t = 5; break;
      case 1: t = 7; break;
      default: t = 9;
    }
    o[i] = t;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] > 100) continue;
    t = a[i];
    o[i] = t;
  }
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] < 100) { w = a[i]; p[i] = w; }
  }
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] < 100) u = a[i];
    else u = -a[i];
    o[i] = u;
  }
  return o[3] & 1;
}
//// the last of rows of one length
int v[4][6], o[4];
void last(int n, int m) {
  int t = 0;
  for (int i = 0; i < n; i++) {  // parallel
    for (int j = 0; j < m; j++)
      t = v[i][j];
    o[i] = t;
  }
}
int main(void) { last(4, 6); return o[3] & 1; }
//// a setting that does not change
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
void run(int set) {
  int t = 0;
  for (int i = 0; i < 12; i++) {  // parallel
    if (set) t = a[i];
    o[i] = t;
  }
}
int main(void) { run(1); return o[3] & 1; }
//// tried until it is good
double a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  double x, y;
  for (int i = 0; i < 12; i++) {  // parallel
    x = a[i];
    for (;;) {
      y = (x + a[i] / x) / 2;
      if (y >= x - 0.01) break;
      x = y;
    }
    o[i] = y;
  }
  return o[3] > 1;
}
//// a local of a loop within
int c[4][3] = {{0, 1, 1}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}}, v[4][3], o[4][3];
int main(void) {
  int t = 0;
  for (int i = 0; i < 4; i++)  // sequential
    for (int j = 0; j < 3; j++)  // sequential
      if (c[i][j]) o[i][j] = t;
      else t = v[i][j];
  return o[3][1] & 1;
}
//// a local that begins on a condition
int c[4] = {1, 1, 1, 1}, v[4][3], o[4][3];
int main(void) {
  int t = 0;
  for (int i = 0; i < 4; i++) {  // sequential
    if (c[i]) t = 0;
    for (int j = 0; j < 3; j++) {  // sequential
      o[i][j] = t;
      t = v[i][j];
    }
  }
  return o[3][1] & 1;
}
