//// previous value
int a[20], b[20];
int main(void) {
  int prev = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 11;
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = a[i] + prev;
    prev = b[i] / 2;
  }
  return b[19] & 1;
}
//// previous cell in a local
int a[20], b[20];
int main(void) {
  int prev = 3;
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = a[i] - prev;
    prev = a[i] + b[i];
  }
  return b[3] & 1;
}
//// running sum
int a[30], b[30];
int main(void) {
  int s = 0;
  for (int i = 0; i < 30; i++)  // parallel
    a[i] = i ^ 5;
  for (int i = 0; i < 30; i++) {  // sequential
    s += a[i];
    b[i] = s;
  }
  return b[29] & 1;
}
//// sum
double a[30];
int main(void) {
  double s = 0;
  for (int i = 0; i < 30; i++)  // parallel
    a[i] = i * 0.5;
  for (int i = 0; i < 30; i++)  // reduction
    s += a[i] * a[i];
  return s > 3;
}
//// compaction
int a[24], b[24];
int main(void) {
  int k = 0;
  for (int i = 0; i < 24; i++)  // parallel
    a[i] = i * 5 % 7 > 3;
  for (int i = 0; i < 24; i++)  // sequential
    if (a[i]) b[k++] = i;
  return k & 1;
}
//// counter without a condition
int a[24], b[48];
int main(void) {
  int k = 0;
  for (int i = 0; i < 24; i++) {  // parallel
    b[k++] = a[i];
    b[k++] = i;
  }
  return b[7] & 1;
}
//// skip counter
int a[24], b[24];
int main(void) {
  int skip = 0;
  for (int i = 0; i < 24; i++)  // parallel
    a[i] = i * i % 5;
  for (int i = 0; i < 24; i++) {  // sequential
    if (skip > 0) {
      skip--;
      continue;
    }
    b[i] = 1;
    skip = a[i];
  }
  return b[5];
}
//// maximum
int a[24];
int main(void) {
  int best = -1;
  for (int i = 0; i < 24; i++)  // parallel
    a[i] = i * 11 % 17;
  for (int i = 0; i < 24; i++)  // reduction
    if (a[i] > best) best = a[i];
  return best;
}
//// maximum by choice
double a[24];
int main(void) {
  double best = -1;
  for (int i = 0; i < 24; i++)  // parallel
    a[i] = i * 11 % 17 * 0.25;
  for (int i = 0; i < 24; i++)  // reduction
    best = a[i] > best ? a[i] : best;
  return best > 2;
}
//// place of the maximum
int a[24];
int main(void) {
  int at = 0;
  for (int i = 0; i < 24; i++)  // parallel
    a[i] = i * 11 % 17;
  for (int i = 1; i < 24; i++)  // sequential
    if (a[i] > a[at]) at = i;
  return at;
}
//// maxima so far
int a[24], b[24];
int main(void) {
  int best = -1;
  for (int i = 0; i < 24; i++)  // parallel
    a[i] = i * 5 % 13;
  for (int i = 0; i < 24; i++) {  // sequential
    if (a[i] > best) best = a[i];
    b[i] = best;
  }
  return b[9];
}
//// recurrence in a local
double b[20];
int main(void) {
  double x = 0.5;
  for (int i = 0; i < 20; i++) {  // sequential
    x = 3.7 * x * (1 - x);
    b[i] = x;
  }
  return b[3] > 0.5;
}
//// private temporary
double a[20], b[20];
int main(void) {
  double t, u;
  for (int i = 0; i < 20; i++) {  // parallel
    t = i * 0.5;
    u = t * t;
    a[i] = u - t;
    b[i] = u + t;
  }
  return a[3] > 1;
}
//// private array
int a[12][4], b[12];
int main(void) {
  int t[4];
  for (int i = 0; i < 12; i++) {  // parallel
    for (int j = 0; j < 4; j++)  // parallel
      t[j] = i * j + 1;
    b[i] = t[0] + t[3] * t[2];
  }
  return b[3] & 1;
}
//// last value only
int a[20], b[20];
int main(void) {
  int last = 0;
  for (int i = 0; i < 20; i++) {  // parallel
    last = a[i] + i;
    b[i] = last * 2;
  }
  return last;
}
//// two values swapped
int b[20];
int main(void) {
  int x = 1, y = 2;
  for (int i = 0; i < 20; i++) {  // sequential
    int t = x;
    x = y;
    y = t + x;
    b[i] = y;
  }
  return b[6] & 1;
}
//// a toggle
int a[20], b[20];
int main(void) {
  int flag = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 3 % 5;
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] == 2) flag = !flag;
    b[i] = flag;
  }
  return b[6];
}
//// carry of an addition
unsigned a[20], b[20], c[20];
int main(void) {
  unsigned carry = 0;
  for (int i = 0; i < 20; i++) {  // parallel
    a[i] = i * 77 % 10;
    b[i] = i * 31 % 10;
  }
  for (int i = 0; i < 20; i++) {  // sequential
    unsigned s = a[i] + b[i] + carry;
    c[i] = s % 10;
    carry = s / 10;
  }
  return c[4] & 1;
}
//// a polynomial by Horner
double a[12];
int main(void) {
  double y = 0, x = 0.9;
  for (int i = 0; i < 12; i++)  // parallel
    a[i] = i + 1;
  for (int i = 11; i >= 0; i--)  // sequential
    y = y * x + a[i];
  return y > 2;
}
//// sum of rows
double a[8][9], r[8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 9; j++)  // parallel
      a[i][j] = i - j * 0.5;
  for (int i = 0; i < 8; i++) {  // parallel
    double s = 0;
    for (int j = 0; j < 9; j++)  // reduction
      s += a[i][j];
    r[i] = s;
  }
  return r[3] > 0;
}
//// product and count
int a[20];
int main(void) {
  int many = 0;
  unsigned p = 1;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++)  // reduction
    if (a[i] > 2) many++;
  for (int i = 0; i < 20; i++)  // reduction
    p *= a[i] + 2;
  return (many + p) & 1;
}
//// bits together
unsigned a[20];
int main(void) {
  unsigned all = 0, odd = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 2654435761u;
  for (int i = 0; i < 20; i++) {  // reduction
    all |= a[i];
    odd ^= a[i];
  }
  return (all ^ odd) & 1;
}
//// state machine
int a[20], b[20];
int main(void) {
  int state = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * i % 3;
  for (int i = 0; i < 20; i++) {  // sequential
    switch (state) {
      case 0: state = a[i]; break;
      case 1: state = 2; break;
      default: state = a[i] > 1;
    }
    b[i] = state;
  }
  return b[11];
}
//// bound changed inside
int a[40];
int main(void) {
  int n = 10;
  for (int i = 0; i < 40; i++)  // parallel
    a[i] = i * 7 % 10;
  for (int i = 0; i < n; i++)  // sequential
    if (a[i] > 6 && n < 40) n += 3;
  return n;
}
//// iterator changed inside
int a[40], b[40];
int main(void) {
  for (int i = 0; i < 40; i++)  // parallel
    a[i] = i * 7 % 10;
  for (int i = 0; i < 40; i++) {  // sequential
    b[i] = 1;
    if (a[i] > 6) i += 2;
  }
  return b[9];
}
//// a value with no condition
int b[20];
int main(void) {
  int x = 3;
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = x + i;
    x = 5;
  }
  return b[9] & 1;
}
//// two steps back
int b[20], a[20];
int main(void) {
  int x = 1, y = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = x;
    x = y;
    y = a[i] + b[i];
  }
  return b[9] & 1;
}
//// a sum that is asked for
int a[20], b[20];
int main(void) {
  int s = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 11;
  for (int i = 0; i < 20; i++) {  // sequential
    s += a[i];
    if (s > 40) b[i] = 1;
  }
  return b[7];
}
//// a sum written out
int a[20];
int main(void) {
  int s = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 11;
  for (int i = 0; i < 20; i++)  // reduction
    s = s + a[i] * 2;
  return s & 1;
}
//// no sum
int a[20];
int main(void) {
  int s = 0;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 11;
  for (int i = 0; i < 20; i++)  // sequential
    s = (s + a[i]) % 7;
  for (int i = 0; i < 20; i++)  // sequential
    s = a[i] - s;
  for (int i = 0; i < 20; i++)  // sequential
    s += a[i] * (s & 1);
  return s & 1;
}
//// the smallest, and where it is
int v[13] = {5, 2, 8, 8, 1, 9, 0, 4}, where[2];
int main(void) {
  int lo = v[0], at = 0;
  for (int i = 1; i < 13; i++)  // sequential
    if (v[i] < lo) { lo = v[i]; at = i; }
  where[0] = at;
  lo = v[0];
  for (int i = 1; i < 13; i++)  // sequential
    if (v[i] < lo) { lo = v[i]; where[1] = i; }
  return where[0];
}
//// all of them
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int all = 1;
  for (int i = 0; i < 12; i++)  // reduction
    all = all && a[i] < 10;
  return all;
}
//// the smallest, by a pointer
int a[12] = {3, 2, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
void smallest(const int *v, int n, int *low) {
  for (int i = 0; i < n; i++)  // reduction
    if (v[i] < *low) *low = v[i];
}
int main(void) {
  int low = 9;
  smallest(a, 12, &low);
  return low;
}
//// the smallest of another array, by a pointer
int a[12] = {3, 2, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12] = {7, 5, 3};
void smallest(const int *v, int n, int *low) {
  for (int i = 0; i < n; i++)  // sequential
    if (v[i] < *low) *low = b[i];
}
int main(void) {
  int low = 9;
  smallest(a, 12, &low);
  return low;
}
