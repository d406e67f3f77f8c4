//// steps that outer loops set
int x[40], y[40], g = 1, o[40];
static void grow(void) { g++; }
static int bump(int *p) { return ++*p; }
int main(void) {
  for (int i = 0; i < 40; i++)  // parallel
    x[i] = i * 7 % 11;
  for (int d = 1; d < 32; d *= 2)  // sequential
    for (int i = 2 * d - 1; i < 32; i += 2 * d)  // parallel
      x[i] += x[i - d];
  for (int i = 1; i < 10; i++)  // reduction
    for (int j = i; j < 40; j += i + 1)  // parallel
      y[j] += i;
  for (int i = 1; i < 6; i++)  // sequential
    for (int j = 0; j < 40; j = j + i)  // sequential
      y[j] += j ? y[j - i] : 1;
  for (int d = 3, i = 0; i < 40; i += d) {  // sequential
    o[i] = i;
    d = x[i] % 3 + 1;
  }
  for (int i = 0; i < 40; i += g) {  // sequential
    o[i] += i;
    grow();
  }
  int e = 1;
  for (int i = 0; i < 40; i += e) {  // sequential
    o[i] += i;
    bump(&e);
  }
  for (int d = 1; d < 5; d++) {  // parallel
    int s = 0;
    for (int i = 0; i < 40; i += d)  // reduction
      s += x[i];
    o[d] += s;
  }
  return x[31] + y[7] + o[3];
}
//// places that data change, by control alone
int b[200], c[40], o[40];
int main(void) {
  int start = 3;
  for (int i = 0; i < 40; i++)  // parallel
    c[(i + 3) % 40] += i * 5 % 3 == 0;
  for (int i = 0; i < 12; i++) {  // reduction
    int k = 0;
    if (c[i])
      k = 3;
    b[i * 17 % 41 + k] += i;
  }
  for (int i = 0; i < 12; i++) {  // reduction
    int j;
    for (j = 0; j < 30; j++)
      if (c[(j + i) % 40])
        break;
    b[(j * 7 + i) % 97] += i;
  }
  for (int i = 0; i < 12; i++) {  // reduction
    int j, l;
    for (j = 0; j < 30; j++)
      if (c[(j + i) % 40])
        break;
    for (l = j; l < j + 1; l++)
      b[(l * 7 + i) % 97] += i;
  }
  for (int i = 0; i < 24; i++)  // reduction
    b[i % 12] += i;
  for (int i = 0; i < 12; i++) {  // reduction
    start = c[i] * 3;
    for (int j = start; j < start + 2; j++)
      b[(j + i * 5) % 97] += i;
  }
  return b[3];
}
