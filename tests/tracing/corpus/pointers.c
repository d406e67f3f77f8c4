//// a function by a pointer that rarely adds
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], total;
int put(int v) {
  if (v > 100) total = total * 2 + v;
  return v;
}
int (*f)(int) = put;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = f(a[i]);
  return o[3] + total & 1;
}
//// functions in a table, of which one keeps
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], kept;
int keep(int v) { return v > 100 ? kept++ : v; }
int turn(int v) { return -v; }
int (*table[2])(int) = {keep, turn};
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = table[i % 2](a[i]);
  return o[3] & 1;
}
//// a method that rarely reads what is written
struct shape { int (*area)(int); int w; } s[12];
int o[13], rare;
int plain(int i) { return rare ? o[i] : s[i].w; }
int main(void) {
  for (int i = 0; i < 12; i++)
    s[i].area = plain, s[i].w = i;
  for (int i = 0; i < 12; i++)  // sequential
    o[i + 1] = s[i].area(i);
  return o[3] & 1;
}
//// a pointer that is given on
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12], most;
void note(int v) {
  if (v > 100) most = v;
}
int apply(void (*f)(int), int v) {
  f(v);
  return most;
}
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = apply(note, a[i]);
  return o[3] & 1;
}
//// functions by pointers that only compute
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int size(int v) {
  if (v < 0) return -v;
  return v > 100 ? 100 : v;
}
int turn(int v) { return -v; }
int (*table[2])(int) = {size, turn};
int main(void) {
  int (*f)(int) = a[0] ? size : turn;
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = f(a[i]);
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = table[i % 2](a[i]);
  return o[3] & 1;
}
//// methods of records
struct op { int (*run)(struct op *, int); int by; } ops[12];
int o[12];
int scale(struct op *p, int v) { return p->by < 0 ? -v : v * p->by; }
int main(void) {
  for (int i = 0; i < 12; i++) {  // parallel
    ops[i].run = scale;
    ops[i].by = i;
  }
  for (int i = 0; i < 12; i++)  // parallel
    o[i] = ops[i].run(&ops[i], i);
  return o[3] & 1;
}
//// functions that data rarely choose
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    int (*h)(int) = a[i] > 90 ? adds : plain;
    o[i] = h(a[i]);
  }
  for (int i = 0; i < 8; i++) {  // sequential
    int (*h)(int) = plain;
    if (a[i] > 90) h = adds;
    o[i] = h(a[i]);
  }
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = (a[i] > 90 ? adds : plain)(a[i]);
  int (*t[2])(int) = {plain, adds};
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = t[a[i] > 90](a[i]);
  return o[2];
}
//// a function that data rarely choose reads what is written
int a[8] = {1, 2, 3}, o[9];
int plain(int i) { return a[i]; }
int before(int i) { return o[i]; }
int (*const table[2])(int) = {plain, before};
int main(void) {
  for (int i = 0; i < 8; i++)  // sequential
    o[i + 1] = table[a[i] > 90](i);
  return o[2];
}
//// methods that data rarely choose
struct op { int (*run)(int); } ops[8];
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    ops[i].run = plain;
  if (a[0] > 90) ops[1].run = adds;
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = ops[i].run(a[i]);
  return o[2];
}
//// a function that is given on, and might be another
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
int apply(int (*f)(int), int v) { return f(v); }
int main(void) {
  int (*h)(int) = a[0] > 90 ? adds : plain;
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = apply(h, a[i]);
  return o[2];
}
//// a function of a function
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
int (*chosen(int v))(int) { return v > 90 ? adds : plain; }
int main(void) {
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = chosen(a[i])(a[i]);
  return o[2];
}
//// functions that data rarely choose, and only compute
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int half(int v) { return v < 0 ? -v / 2 : v / 2; }
int adds(int v) { return total += v; }
int main(void) {
  int (*other)(int) = adds, (*t[2])(int) = {plain, half};
  for (int i = 0; i < 8; i++)  // parallel
    o[i] = t[a[i] > 90](a[i]);
  return o[2] + other(1);
}
//// a parameter of the type of a function
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
int apply(int v, int f(int)) { return f(v); }
int main(void) {
  int (*h)(int) = a[0] > 90 ? adds : plain;
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = apply(a[i], h);
  return o[2];
}
//// functions by names for types, and casts to others
typedef int (*op)(int);
typedef float real;
int total, a[8] = {1, 2, 3}, o[8];
real r[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
int main(void) {
  op t[] = {plain, adds}, *p = t;
  for (int i = 0; i < 8; i++)  // sequential
    o[i] = 2 * (*p[a[i] > 90])(a[i]);
  for (int i = 0; i < 8; i++) {  // sequential
    op h; h = plain;
    if (a[i] > 90) h = p[1];
    o[i] = a[i] * (*h)(a[i]);
  }
  for (int i = 0; i < 8; i++)  // parallel
    r[i] = (real)(a[i]) + (real)(i * 2);
  return o[2];
}
//// two extremes of a parameter, behind pointers
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
void extremes(int *lo, int *hi, int v) {
  if (v < *lo) *lo = v;
  if (v > *hi) *hi = v;
}
int main(void) {
  int lo = a[0], hi = a[0];
  for (int i = 0; i < 12; i++)  // reduction
    extremes(&lo, &hi, a[i]);
  return hi - lo;
}
//// an extreme of a parameter that is narrowed
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
void least(int *lo, signed char v, int u) {
  if (v < *lo) *lo = u;
}
int main(void) {
  int lo = 100;
  for (int i = 0; i < 12; i++)  // sequential
    least(&lo, a[i], a[i]);
  return lo;
}
