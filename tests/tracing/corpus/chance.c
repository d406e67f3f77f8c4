//// a length that the library gives
#include <stdio.h>
char text[200];
int main(void) {
  int length = 0;
  for (int i = 0; i < 10; i++)  // sequential
    length += sprintf(text + length, "%d;", i);
  return length == 0;
}
//// a place that the library gives
#include <stdio.h>
char text[200];
int main(void) {
  char *at = text;
  for (int i = 0; i < 10; i++)  // sequential
    at += snprintf(at, 9, "%03d", i);
  return at == text;
}
//// two values
int o[2];
int main(void) {
  int x = 1;
  for (int i = 0; i < 2; i++) {  // sequential
    o[i] = x;
    x = x * 5 + 3;
  }
  return x == 0;
}
//// two values of two variables
int o[2];
int main(void) {
  int x = 1, y = 2;
  for (int i = 0; i < 2; i++) {  // sequential
    int t = x + y;
    o[i] = x;
    x = y;
    y = t;
  }
  return x == 0;
}
//// absolute values
#include <stdlib.h>
int o[20];
int main(void) {
  int x = 0;
  for (int i = 0; i < 20; i++) {  // sequential
    o[i] = x;
    x = abs(x) + 1;
  }
  return x == 0;
}
//// a number that starts again
int o[20];
int main(void) {
  int x = 0;
  for (int i = 0; i < 20; i++) {  // sequential
    o[i] = x;
    x = x > 100 ? 0 : x + 1;
  }
  return x == 0;
}
//// a depth
int o[12];
int depth(int k) { return k == 0 ? 0 : 1 + depth(k - 1); }
int main(void) {
  int d = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = d;
    d = depth(d) + 1;
  }
  return d == 0;
}
//// steps, and steps by a function
int o[60];
int next(int k) { return k + 2; }
int main(void) {
  int k = 0, n = 60, m = 1;
  for (int i = 0; i < 20; i++) {  // parallel
    o[k] = i;
    k = next(k);
  }
  k = 0;
  for (int i = 0; i < 20; i++) {  // parallel
    o[k] = i;
    k += n / 30;
  }
  for (int i = 0; i < 20; i++) {  // parallel
    int t = m + 1;
    o[m] = i;
    m = t;
  }
  return 0;
}
//// fetch and add
int count, old[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // sequential
    old[i] = __sync_fetch_and_add(&count, i & 3);
  return 0;
}
//// compare and swap
int lock, a[20], got[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 11;
  for (int i = 0; i < 20; i++)  // sequential
    got[i] = __sync_bool_compare_and_swap(&lock, a[i] + 20, a[i]);
  return 0;
}
//// a device
volatile int port;
int a[16];
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    a[i] = i;
  for (int i = 0; i < 16; i++)  // sequential
    port = a[i];
  return 0;
}
//// a register of a device, and a variable beside it
struct device {
  volatile int port;
  int kept;
} d, *at = &d;
void out(int x) { *(volatile int *)&at->kept = x; }
int main(void) {
  for (int i = 0; i < 16; i++)  // sequential
    at->port = i;
  for (int i = 0; i < 16; i++)  // sequential
    out(i);
  return 0;
}
//// beside a volatile field
struct device {
  volatile int port;
  int kept;
} d;
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    d.kept = i;
  return d.port;
}
//// a sum beside what begins it
double sum, o[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
  {
    sum = 0; for (int k = 0; k < 3; k++) sum += o[i] * k; o[i] = sum + 1;  // reduction
  }
  return 0;
}
//// rounded steps
double o[40];
int main(void) {
  for (double t = 0; t < 3; t += 0.1)  // sequential
    o[(int)(t * 10)] = t;
  float s;
  for (s = 0; s < 8; s++)  // sequential
    o[(int)s] = s / 3;
  return 0;
}
//// a count along a chain
int chain[8] = {3, 5, 4, 7, 1, 6, -1, 2}, n;
int main(void) {
  for (int i = 0; i >= 0; i = chain[i])  // sequential
    n++;
  return n == 0;
}
//// the largest, in what does not hold it
int a[3] = {50, 100, 300};
unsigned u[3] = {50, 100, 3000000000u};
long far[3] = {50, 100, 5000000000};
double d[3] = {50, 100.5, 100.7};
unsigned char byte;
int number;
unsigned count;
int main(void) {
  for (int i = 0; i < 3; i++)  // sequential
    if (a[i] > byte) byte = a[i];
  short other = 0, one[2] = {0}, both = 0;
  for (int i = 0; i < 3; i++)  // sequential
    both = a[i] > both ? a[i] : both;
  for (int i = 0; i < 3; i++)  // sequential
    number = u[i] > number ? u[i] : number;
  for (int i = 0; i < 3; i++)  // sequential
    if (far[i] > number) number = far[i];
  number = 0;
  for (int i = 0; i < 3; i++)  // sequential
    if (d[i] > number) number = d[i];
  for (int i = 0; i < 3; i++)  // sequential
    if (a[i] > count) count = a[i];
  return (byte + both + number + count + other + one[1]) & 1;
}
//// the largest, in what holds more
unsigned char c[3] = {50, 100, 200};
int a[3] = {50, 100, 300};
double d[3] = {50, 100.5, 100.7};
typedef long Many;
Many m[3] = {50, 100, 300};
int number;
long far;
float real;
Many many;
int main(void) {
  for (int i = 0; i < 3; i++)  // reduction
    if (c[i] > number) number = c[i];
  for (int i = 0; i < 3; i++)  // reduction
    if (a[i] > far) far = a[i];
  for (int i = 0; i < 3; i++)  // reduction
    if (a[i] > real) real = a[i];
  for (int i = 0; i < 3; i++)  // reduction
    if (m[i] > many) many = m[i];
  int other[2] = {0, 1}, most = other[0];
  for (int i = 0; i < 3; i++)  // reduction
    most = a[i] > most ? a[i] : most;
  return (number + far + many + most) & 1;
}
//// a read on a way not taken, beside what is added to
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, *rows[13], b[13], cells[13][4];
int main(void) {
  for (int i = 0; i < 13; i++) rows[i] = cells[i];
  for (int i = 0; i < 12; i++)  // sequential
    rows[i + 1][2] += a[i] > 90 ? rows[i][2] : 0;
  for (int i = 0; i < 12; i++)  // sequential
    b[i + 1] += a[i] > 90 ? b[i] : 0;
  for (int i = 0; i < 12; i++)  // sequential
    rows[i + 1][2] += a[i] > 90 ? *rows[i] + 1 : 0, cells[i][0] = a[i];
  return cells[3][2] & 1;
}
//// a sum on a way not taken, beside what is added to
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, *rows[13], b[13], o[13], last, cells[13][4];
int main(void) {
  for (int i = 0; i < 13; i++) rows[i] = cells[i];
  for (int i = 0; i < 12; i++)  // sequential
  {
    rows[i][2] += a[i] > 90 ? last : 0;
    last = a[i];
  }
  return cells[3][2] & 1;
}
