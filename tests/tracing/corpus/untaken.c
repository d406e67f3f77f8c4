//// a recurrence in an arm
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, rare, y;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    y = rare ? y + 1 : a[i];
  return y & 1;
}
//// a recurrence of a local in an arm
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, rare;
int main(void) {
  int y = 0;
  for (int i = 0; i < 12; i++)  // sequential
    y = rare ? y + 1 : a[i];
  return y & 1;
}
//// numbers given behind an or
int o[12], rare, next;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = rare == 0 || (o[i] = next++, 1);
  return o[3] & 1;
}
//// a count behind an or
int rare;
int main(void) {
  int ok = 1, cnt = 0;
  for (int i = 0; i < 12; i++)  // sequential
    ok = ok && (rare == 0 || (cnt++, 1));
  return ok + cnt;
}
//// a local asked behind an and
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  int last = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = 0;
    if (a[i] > 100 && last > 3) o[i] = last;
    last = a[i];
  }
  return o[3] & 1;
}
//// a global asked behind an and
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], last;
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = a[i] > 100 && last > 3;
    last = a[i];
  }
  return o[3] & 1;
}
//// a local set behind an or
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  int last = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = last;
    a[i] < 100 || (last = a[i]);
  }
  return o[3] & 1;
}
//// the cell before, in an arm
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12], rare;
int main(void) {
  for (int i = 1; i < 12; i++)  // sequential
    b[i] = rare ? b[i - 1] : a[i];
  return b[3] & 1;
}
//// a cell that is set for the next, behind an and
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[13], o[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = b[i];
    a[i] > 100 && (b[i + 1] = a[i]);
  }
  return o[3] & 1;
}
//// a local given to a function in an arm
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], rare;
int twice(int v) { return v * 2; }
int main(void) {
  int last = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = rare ? twice(last) : 0;
    last = a[i];
  }
  return o[3] & 1;
}
//// a function in an arm that reads what is written
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], rare, state;
int get(void) { return state; }
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = rare ? get() : 1;
    state = a[i];
  }
  return o[3] & 1;
}
//// a branch in a function writes a global
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], total;
int put(int v) {
  if (v > 100) total = total * 2 + v;
  return v;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = put(a[i]);
  return o[3] + total & 1;
}
//// a branch in a function writes a static
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int keep(int v) {
  static int kept;
  if (v > 100) kept = v;
  return kept;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = keep(a[i]);
  return o[3] & 1;
}
//// a branch in a function writes through a parameter
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
void up(int *p, int v) {
  if (v > 100) *p = *p * 3 + v;
}
int main(void) {
  int t = 0;
  for (int i = 0; i < 12; i++)  // sequential
    up(&t, a[i]);
  return t & 1;
}
//// a branch two calls away
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], total;
void add(int v) {
  switch (v) {
    case 100: total = total * 2 + v;
  }
}
int put(int v) {
  add(v);
  return v;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = put(a[i]);
  return o[3] + total & 1;
}
//// an arm in a function
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], total;
int number(int v) { return v > 100 ? total++ : v; }
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = number(a[i]);
  return o[3] & 1;
}
//// a branch in a function reads the cell before
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12], rare;
int from(int i) {
  if (rare) return b[i - 1];
  return a[i];
}
int main(void) {
  for (int i = 1; i < 12; i++)  // sequential
    b[i] = from(i);
  return b[3] & 1;
}
//// a clamp that another iteration reads
int a[13] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 1}, o[12];
int main(void) {
  for (int i = 1; i < 12; i++) {  // sequential
    if (a[i] < 0) a[i] = 0;
    o[i] = a[i - 1];
  }
  return o[3] & 1;
}
//// a choice of a cell or none
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = a[i] < 0 ? 0 : a[i];
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = a[i] < 0 ? -a[i] : a[i] > 100 ? 100 : a[i];
  return o[3] & 1;
}
//// a clamp
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    if (a[i] < 0) a[i] = 0;
  return a[3] & 1;
}
//// a clamp of a copy
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // parallel
    int v = a[i];
    if (v < 0) v = 0;
    o[i] = v;
  }
  return o[3] & 1;
}
//// a cell that is made, and rarely made anew
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // parallel
    o[i] = 0;
    if (a[i] > 100) o[i] = a[i];
  }
  return o[3] & 1;
}
//// a clamp of a field
struct point { int x, y; } p[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    if (p[i].x < 0) p[i].x = 0;
  return p[3].x & 1;
}
//// an arm that reads another array
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12], o[12], rare;
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = rare ? b[11 - i] : a[i];
  return o[3] & 1;
}
//// arrays behind and, and behind or
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12], o[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = a[i] > 100 && b[i] > 3;
  for (int i = 0; i < 12; i++) {  // parallel
    o[i] = 1;
    if (a[i] < 100 || b[i] < 3) o[i] = 2;
  }
  return o[3] & 1;
}
//// counters that are declared before
double a[6][6], b[6][6], o[6][6];
int main(void) {
  int i, j;
  for (i = 0; i < 6; i++)  // parallel
    for (j = 0; j < 6; j++)  // parallel
      o[i][j] = a[i][j] < 0 ? b[i][j] : a[i][j];
  return o[3][3] > 1;
}
//// a function of numbers in an arm
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int turned(int v) { return v < -9 ? 9 : -v; }
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = a[i] < 0 ? turned(a[i]) : a[i];
  return o[3] & 1;
}
//// a branch in a function of numbers
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int size(int v) {
  if (v < 0) return -v;
  if (v > 100) v = 100;
  return v;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = size(a[i]);
  return o[3] & 1;
}
//// a clamp in a function
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
void clamp(int *p) {
  if (*p < 0) *p = 0;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    clamp(&a[i]);
  return a[3] & 1;
}
//// a table in an arm of a function
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int table[3] = {1, 2, 3};
int look(int v) { return v < 0 ? table[-v % 3] : v; }
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = look(a[i]);
  return o[3] & 1;
}
//// a pointer's cell in an arm
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int pick(const int *p) { return *p > 100 ? *p - 100 : *p; }
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = pick(a + i);
  return o[3] & 1;
}
//// a copy that is rarely turned
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // parallel
    int v = a[i], w = 0;
    v < 0 && (w = v, v = -v);
    o[i] = v + w;
  }
  return o[3] & 1;
}
//// a pointer to what is written, in an arm
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], rare, *q = a;
int main(void) {
  for (int i = 1; i < 12; i++) {  // sequential
    o[i] = rare ? q[i - 1] : 0;
    a[i] = i;
  }
  return o[3] & 1;
}
//// another cell by the same words
int b[13], o[12], rare;
int main(void) {
  for (int i = 0; i < 11; i++) {  // sequential
    int m = i;
    o[i] = b[m];
    m++;
    o[i] += rare ? b[m] : 0;
    b[i] = 1;
  }
  return o[3] & 1;
}
//// a parameter's cell behind an if without braces
int a[10] = {1, 2, 3}, o[11], s[10];
void put(int *p, int v) {
  if (v > 90) *p = v;
}
int main(void) {
  for (int i = 0; i < 10; i++) {  // sequential
    s[i] = o[i];
    put(&o[i + 1], a[i]);
  }
  return s[3];
}
//// a parameter's cell behind an else
int a[10] = {1, 2, 3}, o[11], s[10];
void put(int *p, int v) {
  if (v < 90) v++;
  else *p = v;
}
int main(void) {
  for (int i = 0; i < 10; i++) {  // sequential
    s[i] = o[i];
    put(&o[i + 1], a[i]);
  }
  return s[3];
}
//// a branch in a function that is called twice, and taken once
int a[10] = {1, 2, 3}, o[11], s[10];
void put(int *p, int v) {
  if (v > 90) {
    *p = v;
  }
}
int main(void) {
  for (int i = 0; i < 10; i++) {  // sequential
    s[i] = o[i];
    put(&s[i], 95 + i); put(&o[i + 1], a[i]);
  }
  for (int i = 0; i < 10; i++) {  // parallel
    put(&s[i], 95 + i);
  }
  return s[3];
}
//// stores behind casts and without braces
int a[10] = {1, 2, 3}, o[11], s[10];
char buf[44];
void raw(char *p, int v) { if (v > 90) *(int *)p = v; }
void two(int *p, int v) { while (v > 90) *p++ = v--; }
void inc(int *p, int v) { if (v > 90) ++*p; }
void dec(int *p, int v) { if (v > 90) (*p)--; }
void sub(int *p, int v) { if (v > 90) p[0] = v; }
struct s { int x, y; } t[11];
void fld(struct s *p, int v) { if (v > 90) p->x = v; }
void who(struct s *p, struct s v) { if (v.x > 90) *p = v; }
int main(void) {
  for (int i = 0; i < 10; i++) { s[i] = ((int *)buf)[i]; raw(buf + 4 * (i + 1), a[i]); }  // sequential
  for (int i = 0; i < 10; i++) { s[i] = o[i]; two(&o[i + 1], a[i]); }  // sequential
  for (int i = 0; i < 10; i++) { s[i] = o[i]; inc(&o[i + 1], a[i]); }  // sequential
  for (int i = 0; i < 10; i++) { s[i] = o[i]; dec(&o[i + 1], a[i]); }  // sequential
  for (int i = 0; i < 10; i++) { s[i] = o[i]; sub(&o[i + 1], a[i]); }  // sequential
  for (int i = 0; i < 10; i++) { s[i] = t[i].x; fld(&t[i + 1], a[i]); }  // sequential
  for (int i = 0; i < 10; i++) { s[i] = t[i].x; who(&t[i + 1], t[0]); }  // sequential
  return s[1];
}
//// reads behind casts in arms
typedef double real;
real a[12] = {1, 2, 3}, o[12];
int main(void) {
  real *p = o;
  for (int i = 1; i < 12; i++)  // sequential
    o[i] = a[i] > 90 ? (real) p[i - 1] : a[i];
  for (int i = 1; i < 12; i++, p++)  // sequential
    o[i] = a[i] > 90 ? (real) *p : a[i];
  p = o;
  for (int i = 1; i < 12; i++) {  // sequential
    real t = a[i];
    if (t > 90) t = *(p + i - 1);
    o[i] = t;
  }
  for (int i = 1; i < 12; i++) {  // sequential
    real t = a[i];
    if (t > 90)
      t += (real)*(o + i - 1);
    o[i] = t;
  }
  return o[2] > 1;
}
