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
