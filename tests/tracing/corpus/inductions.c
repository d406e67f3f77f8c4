//// a flag set once
int v[12] = {1, 2, 3, 4, 4, 6}, o[12];
int main(void) {
  int first = 1;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] += first ? 100 : 1;
    first = 0;
  }
  return o[2];
}
//// queue by pointers
#include <stddef.h>
struct cell { int v; struct cell *next; } pool[9], *head;
int main(void) {
  struct cell *h = NULL;
  for (int i = 0; i < 9; i++) {  // sequential
    pool[i].next = h;
    h = &pool[i];
  }
  for (int i = 0; i < 9; i++) {  // sequential
    pool[i].next = head;
    head = &pool[i];
  }
  return head == h;
}
//// wrap-around index
int v[12] = {1, 2, 3}, o[12];
int main(void) {
  int last = 11;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = v[i] - v[last];
    last = i;
  }
  return o[2];
}
//// behind by one from the beginning
int v[13] = {1, 2, 3}, o[12];
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++) {  // parallel
    o[i] = v[last + 1];
    last = i;
  }
  return o[2];
}
//// two inductions
int v[24] = {1, 2, 3}, o[24];
int main(int argc, char **argv) {
  (void)argv;
  int k = argc * 2, j = 23;
  for (int i = 0; i < 10; i++) {  // parallel
    o[k] = v[j];
    k += 2;
    j--;
  }
  int *p = o, *q = v + 3;
  for (int i = 0; i < 10; i++)  // parallel
    *p++ = *q++;
  for (int i = 0; i < 4; i++) {  // parallel
    k = i;
    for (int j = 0; j < 4; j++) {  // parallel
      o[k] = i + j;
      k += 4;
    }
  }
  k = 0;
  for (int i = 0; i < 4; i++)  // parallel
    for (int j = 0; j < 4; j++)  // parallel
      o[k++] = i + j;
  return o[2];
}
//// a flag asked
int v[12] = {1, 2, 3, 4, 4, 6}, o[12];
int main(void) {
  int first = 1;
  for (int i = 0; i < 12; i++) {  // sequential
    if (first) o[i] = 100;
    first = 0;
  }
  first = 1;
  for (int i = 0; i < 12; i++) {  // sequential
    if (!first) o[i] = v[i];
    else first = 0;
  }
  return o[2];
}
//// a copied flag
int v[12] = {1, 2, 3, 4, 4, 6}, o[12];
int main(void) {
  int first = 1;
  for (int i = 0; i < 12; i++) {  // sequential
    int t = first;
    o[i] = v[i] + t * 3;
    first = 0;
  }
  first = 1;
  for (int i = 0; i < 12; i++) {  // sequential
    int t = first + 1;
    o[i] = v[i] + t * 3;
    first = 0;
  }
  first = 5;
  for (int i = 0; i < 3; i++)  // sequential
    for (int j = 0; j < 4; j++) {  // sequential
      o[4 * i + j] = first;
      first = i;
    }
  return o[2];
}
//// a period of two
int v[12] = {1, 2, 3, 4, 4, 6}, o[12];
int main(void) {
  int odd = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = odd;
    odd = !odd;
  }
  int k = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = k;
    if (i == 6) k = 100;
  }
  k = 0;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = k;
    if (++k == 4) k = 0;
  }
  return o[2];
}
//// begun by what is not seen
int at[5] = {0, 3, 4, 9, 12}, v[24], w[5], last = 4;
void rows(int *x, int k) {
  for (int i = 0; i < 4; i++) {  // parallel
    x[k] = i;
    k += 3;
  }
}
int main(void) {
  int n = last;
  rows(v, at[1]);
  for (int r = 0; r < 4; r++) {  // parallel by data
    int k = at[r];
    for (int i = at[r]; i < at[r + 1]; i++) {  // parallel
      v[i] += k;
      k++;
    }
  }
  for (int i = 0; i < 2; i++) {  // sequential
    w[i] = n;
    n = 7;
  }
  n = last;
  for (int i = 0; i < 12; i++) {  // sequential
    v[i] = n;
    n = i;
  }
  n = last;
  for (int i = 0; i < 12; i++) {  // sequential
    v[i] = n;
    if (i < 5) n += last;
  }
  return v[3];
}
//// made by a function
int v[12], o[12];
int next(int k) { return k + 2; }
int main(void) {
  int k = 0;
  for (int i = 0; i < 6; i++) {  // parallel
    o[k] = i;
    k = next(k);
  }
  int x = 9;
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = x + v[i];
    x = next(i);
  }
  return o[3];
}
//// counters that double and are halved
int o[300], m = 3;
int main(void) {
  for (int w = 1; w < 300; w *= 2)  // parallel
    o[w] = w + 1;
  for (int w = 299; w > 0; w /= m)  // parallel
    o[w] = w + 2;
  for (int w = 1; w < 300; w += w)  // parallel
    o[w] = w + 3;
  return o[8] & 1;
}
//// a counter that doubles beside a recurrence
int o[300];
int main(void) {
  for (int w = 2; w < 300; w *= 2)  // sequential
    o[w] = o[w / 2] + 1;
  return o[8] & 1;
}
//// a counter that is multiplied by another factor each time
int o[300];
int main(void) {
  int m = 2;
  for (int w = 1; w < 300; w *= m) {  // sequential
    o[w] = w;
    m = 5 - m;
  }
  return o[8] & 1;
}
//// a counter that doubles, and its body steps
int o[300] = {0, 0, 5, 6, 7};
int main(void) {
  for (int w = 1; w < 290; w *= 2) {  // sequential
    o[w + 10] = 1;
    if (o[w + 1] > 3) w++;
  }
  return o[8] & 1;
}
//// a counter that doubles, and its bound shrinks
int o[300];
int main(void) {
  int n = 300;
  for (int w = 1; w < n; w *= 2) {  // sequential
    o[w] = 1;
    n -= w;
  }
  return o[8] & 1;
}
//// random numbers by factors
int o[20];
int main(void) {
  unsigned x = 1;
  for (int i = 0; i < 20; i++) {  // sequential
    x *= 16807;
    o[i] = x >> 3;
  }
  return o[2] & 1;
}
