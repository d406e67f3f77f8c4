//// a gather from what is written
int b[16], perm[8] = {9, 8, 15, 12, 11, 10, 13, 14}, c[16];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel by data
    b[i] = b[perm[i]] + 1;
  for (int i = 0; i < 8; i++)  // parallel by data
    c[i] = c[15 - perm[i] + 8] + 1;
  return b[3];
}
//// a gather from another
int b[16], perm[8] = {9, 8, 15, 12, 11, 10, 13, 14}, c[16];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    b[i] = c[perm[i]] + 1;
  for (int i = 0; i < 8; i++)  // parallel by data
    c[perm[i]] = b[i] + c[15 - i];
  return b[3];
}
//// rows of a pointer that is chosen
double u[3][12], v[12];
int row[4] = {0, 2, 1, 2};
int main(void) {
  for (int t = 0; t < 3; t++) {  // sequential
    double *from = u[row[t]], *to = u[row[t + 1]];
    for (int i = 0; i < 12; i++)  // parallel
      to[i] = from[11 - i] + t;
  }
  for (int t = 0; t < 4; t++) {  // reduction
    double *to = u[row[t]];
    for (int i = 0; i < 12; i++)  // parallel
      to[i] += v[i];
  }
  for (int t = 0; t < 3; t++) {  // sequential
    double *to = u[row[t]];
    for (int i = 1; i < 12; i++)  // sequential
      to[i] += to[i - 1];
  }
  return u[2][3] > 1;
}
//// a pointer that data place
int buf[24], a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, o[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // parallel by data
    int *p = buf + a[i];
    p[0] += 1;
  }
  for (int i = 0; i < 8; i++) {  // parallel by data
    int *p = buf + a[i];
    *p += 1;
    o[i] = buf[i + 1];
  }
  for (int i = 0; i < 8; i++) {  // parallel by data
    int *p = &buf[a[i]];
    o[i] = *p;
    p[9] = i;
  }
  return o[3];
}
