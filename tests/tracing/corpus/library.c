//// random numbers
#include <stdlib.h>
double a[16];
int b[16];
int main(void) {
  srand48(5);
  for (int i = 0; i < 16; i++)  // sequential
    a[i] = drand48();
  srand(7);
  for (int i = 0; i < 16; i++)  // sequential
    b[i] = rand() % 10;
  return a[3] > 0.5;
}
//// random numbers with a seed of each
#include <stdlib.h>
unsigned seed[16];
int b[16];
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    seed[i] = 77 * i + 1;
  for (int i = 0; i < 16; i++)  // parallel
    b[i] = rand_r(&seed[i]) % 10;
  for (int i = 0; i < 16; i++)  // sequential
    b[i] = rand_r(&seed[0]) % 10;
  return b[3];
}
//// characters of a file
#include <stdio.h>
int b[16];
int main(void) {
  FILE *f = tmpfile();
  if (!f) return 1;
  for (int i = 0; i < 16; i++)  // sequential
    fputc('a' + i, f);
  rewind(f);
  for (int i = 0; i < 16; i++)  // sequential
    b[i] = fgetc(f);
  fclose(f);
  return b[3] & 1;
}
//// characters after a seek
#include <stdio.h>
int b[16];
int main(void) {
  FILE *f = tmpfile();
  if (!f) return 1;
  fputs("the quick brown fox jumps", f);
  for (int i = 0; i < 16; i++) {  // sequential
    fseek(f, i, SEEK_SET);
    b[i] = fgetc(f);
  }
  fclose(f);
  return b[3] & 1;
}
//// lines of a file
#include <stdio.h>
char s[6][16];
int main(void) {
  FILE *f = tmpfile();
  if (!f) return 1;
  for (int i = 0; i < 6; i++)  // sequential
    fprintf(f, "line %d\n", i);
  rewind(f);
  for (int i = 0; i < 6; i++)  // sequential
    if (!fgets(s[i], 16, f)) return 2;
  fclose(f);
  return s[2][0] & 1;
}
//// records of a file
#include <stdio.h>
int v[12], w[12];
int main(void) {
  FILE *f = tmpfile();
  if (!f) return 1;
  for (int i = 0; i < 12; i++)  // parallel
    v[i] = i * i;
  for (int i = 0; i < 12; i++)  // sequential
    fwrite(v + i, sizeof *v, 1, f);
  rewind(f);
  for (int i = 0; i < 12; i++)  // sequential
    if (fread(w + i, sizeof *w, 1, f) != 1) return 2;
  fclose(f);
  return w[3] & 1;
}
//// words of a line
#include <string.h>
char line[] = "a,bb,ccc,dddd,eeeee,ffffff";
size_t n[6];
int main(void) {
  char *t = strtok(line, ",");
  for (int i = 0; i < 6; i++) {  // sequential
    n[i] = t ? strlen(t) : 0;
    t = strtok(NULL, ",");
  }
  return (int) n[3] & 1;
}
//// words of a line of each
#include <string.h>
char line[6][16];
char first[6];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    strcpy(line[i], "x,y,z");
  for (int i = 0; i < 6; i++) {  // parallel
    char *rest = 0, *t = strtok_r(line[i], ",", &rest);
    first[i] = t[0];
  }
  return first[3] & 1;
}
//// what is printed
#include <stdio.h>
int main(void) {
  for (int i = 0; i < 5; i++)  // sequential
    printf("%d\n", i);
  for (int i = 0; i < 5; i++)  // sequential
    putchar('x');
  for (int i = 0; i < 5; i++)  // sequential
    puts("y");
  return 0;
}
//// what is printed now and then
#include <stdio.h>
int a[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // sequential
    a[i] = i * 3 % 7;
    if (a[i] == 4) printf("%d\n", i);
  }
  return 0;
}
//// copies that overlap
#include <string.h>
char v[40] = "abcdefgh", w[40];
int main(void) {
  for (int i = 0; i < 20; i++)  // sequential
    memcpy(v + i + 8, v + i, 8);
  for (int i = 0; i < 20; i++)  // sequential
    memmove(v + i + 1, v + i, 8);
  return v[3];
}
//// copies of rows
#include <string.h>
int a[10][8], b[10][8];
int main(void) {
  for (int i = 0; i < 10; i++)  // parallel
    memset(a[i], i, sizeof a[i]);
  for (int i = 0; i < 10; i++)  // parallel
    memcpy(b[i], a[i], sizeof a[i]);
  for (int i = 0; i < 9; i++)  // sequential
    memcpy(b[i + 1], b[i], sizeof b[i]);
  for (int i = 0; i < 9; i++)  // parallel
    memcpy(b[i], b[i + 1], sizeof b[i]);
  return b[3][0] & 1;
}
//// texts handed on
#include <stdio.h>
char s[9][24] = {"a"};
int main(void) {
  for (int i = 0; i < 8; i++)  // sequential
    sprintf(s[i + 1], "%s+", s[i]);
  for (int i = 0; i < 8; i++)  // parallel
    sprintf(s[i], "%d", i);
  for (int i = 0; i < 8; i++)  // sequential
    snprintf(s[i + 1], 20, "%d%s", i, s[i]);
  return s[3][0] & 1;
}
//// texts joined
#include <string.h>
char all[80], s[8][8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    strcpy(s[i], "ab");
  for (int i = 0; i < 8; i++)  // sequential
    strcat(all, s[i]);
  return (int) strlen(all) & 1;
}
//// lengths and numbers
#include <stdlib.h>
#include <string.h>
char s[8][8];
int n[8], v[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // parallel
    s[i][0] = (char) ('1' + i % 3);
    s[i][1] = (char) ('0' + i);
  }
  for (int i = 0; i < 8; i++)  // parallel
    n[i] = (int) strlen(s[i]);
  for (int i = 0; i < 8; i++)  // parallel
    v[i] = atoi(s[i]) + abs(n[i] - 3);
  return v[3] & 1;
}
//// where a number ends
#include <stdlib.h>
char text[] = "12 34 56 78 90 11";
long v[6];
int main(void) {
  char *p = text;
  for (int i = 0; i < 6; i++)  // sequential
    v[i] = strtol(p, &p, 10);
  return (int) v[3] & 1;
}
//// errno of the iteration before
#include <errno.h>
#include <math.h>
double a[12];
int b[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    b[i] = errno;
    a[i] = sqrt(i % 3 == 1 ? -1.0 : 1.0);
  }
  return b[3] & 1;
}
//// errno of the same iteration
#include <errno.h>
#include <stdlib.h>
char s[6][8];
int b[6];
long v[6];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    s[i][0] = (char) ('1' + i);
  for (int i = 0; i < 6; i++) {  // parallel
    errno = 0;
    v[i] = strtol(s[i], NULL, 10);
    b[i] = errno;
  }
  return b[3];
}
//// errno as a variable
#include <errno.h>
int a[12], b[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    b[i] = errno + a[i];
    errno = i % 5;
  }
  return b[3] & 1;
}
//// errno that is never reset
#include <errno.h>
#include <stdlib.h>
char s[6][8];
int b[6];
long v[6];
int main(void) {
  for (int i = 0; i < 6; i++) {  // sequential
    v[i] = strtol(s[i], NULL, 10);
    if (errno) b[i] = 1;
  }
  return b[3];
}
//// the clock
#include <time.h>
long t[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    t[i] = (long) clock();
  for (int i = 0; i < 12; i++)  // sequential
    t[i] = (long) time(NULL);
  return t[3] < 0;
}
//// the clock of a struct
#include <time.h>
struct timespec t[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    clock_gettime(CLOCK_MONOTONIC, &t[i]);
  return t[3].tv_sec < 0;
}
//// signals
#include <signal.h>
volatile sig_atomic_t many;
static void handler(int number) { many = many + (number > 0); }
int main(void) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 5; i++)  // sequential
    raise(SIGUSR1);
  return many;
}
//// the environment
#include <stdlib.h>
char b[8];
int main(void) {
  for (int i = 0; i < 8; i++) {  // sequential
    const char *s = getenv("POLYNB_CORPUS");
    b[i] = s ? s[0] : 'a';
    setenv("POLYNB_CORPUS", b[i] == 'a' ? "b" : "a", 1);
  }
  return b[3] & 1;
}
//// a name that the library keeps
#include <string.h>
#include <time.h>
char s[6][32];
int main(void) {
  for (int i = 0; i < 6; i++) {  // sequential
    time_t t = 100000 * i;
    struct tm *at = gmtime(&t);
    strftime(s[i], 32, "%Y-%m-%d", at);
  }
  return s[3][0] & 1;
}
//// memory of each iteration
#include <stdlib.h>
int b[10];
int main(void) {
  for (int i = 0; i < 10; i++) {  // parallel
    int *p = malloc(4 * sizeof *p);
    for (int j = 0; j < 4; j++)  // parallel
      p[j] = i * j;
    b[i] = p[3] + p[1];
    free(p);
  }
  return b[3] & 1;
}
//// memory that grows
#include <stdlib.h>
int main(void) {
  int n = 0, room = 1, *p = malloc(sizeof *p);
  for (int i = 0; i < 20; i++) {  // sequential
    if (n == room) p = realloc(p, (size_t) (room *= 2) * sizeof *p);
    p[n++] = i;
  }
  int x = p[7];
  free(p);
  return x & 1;
}
//// mathematics
#include <math.h>
double a[16], b[16];
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    a[i] = sin(i * 0.5) + pow(i, 0.5);
  for (int i = 0; i < 16; i++)  // parallel
    b[i] = fmax(exp(-a[i]), fabs(floor(a[i])));
  return b[3] > 0.5;
}
//// mathematics handed on
#include <math.h>
double b[16];
int main(void) {
  double x = 1;
  for (int i = 0; i < 16; i++) {  // sequential
    x = cos(x);
    b[i] = x;
  }
  return b[3] > 0.5;
}
//// numbers out of texts
#include <stdio.h>
char s[8][8];
int v[8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    s[i][0] = (char) ('1' + i);
  for (int i = 0; i < 8; i++)  // parallel
    if (sscanf(s[i], "%d", &v[i]) != 1) v[i] = -1;
  for (int i = 0; i < 7; i++)  // sequential
    if (sscanf(s[i], "%7s", s[i + 1]) != 1) return 3;
  return v[3] & 1;
}
//// what is printed if something is wrong
#include <stdio.h>
int a[6] = {3, 1, 4, 1, 5, 9}, o[6];
int main(void) {
  for (int i = 0; i < 6; i++) {  // sequential
    o[i] = a[i] * 2;
    if (o[i] < 0) puts("bad");
  }
  return o[3] & 1;
}
//// memcpy that never runs
#include <string.h>
int a[6][4], b[6][4], last[4];
int main(void) {
  for (int i = 0; i < 6; i++)  // parallel
    for (int j = 0; j < 4; j++)  // parallel
      a[i][j] = i + j;
  for (int i = 0; i < 6; i++) {  // sequential
    memcpy(b[i], last, sizeof last);
    if (a[i][0] > 90) memcpy(last, a[i], sizeof last);
  }
  for (int i = 0; i < 5; i++) {  // sequential
    b[i][0] += 1;
    if (a[i][0] > 90) memset(b[i + 1], 0, sizeof b[i]);
  }
  return b[2][2];
}
//// a library state that is never asked
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int a[8] = {1, 2, 3, 4}, o[8];
char t[] = "a b", buf[16];
int odd(int v) { return v > 90 ? rand() : v; }
int noisy(int v) { if (v > 90) fputs("x", stderr); return v; }
int cut(int v) { char *p = v > 90 ? strtok(t, " ") : 0; return p != 0; }
int main(void) {
  for (int i = 0; i < 8; i++) o[i] = odd(a[i]);  // sequential
  for (int i = 0; i < 8; i++) o[i] = noisy(a[i]);  // sequential
  for (int i = 0; i < 8; i++) o[i] = cut(a[i]);  // sequential
  for (int i = 0; i < 8; i++) {  // sequential
    o[i] = buf[0];
    if (a[i] > 90) sprintf(buf, "%d", i);
  }
  return o[1];
}
//// numbers out of texts into places of their own
#include <stdio.h>
char row[4][16] = {"1,2", "3,4", "5,6", "7,8"};
int x[4];
int main(void) {
  for (int i = 0; i < 4; i++) {  // parallel
    int a = 0, b = 0;
    if (sscanf(row[i], "%d,%d", &a, &b) != 2) a = b = -1;
    x[i] = a + b;
  }
  return x[2];
}
//// quotients and remainders
#include <stdlib.h>
int a[16], b[16];
int main(void) {
  div_t kept = {0, 0};
  for (int i = 0; i < 16; i++) {  // sequential
    a[i] = kept.rem;
    kept = div(i * 7, 3);
  }
  ldiv_t each;
  for (int i = 0; i < 16; i++) {  // parallel
    each = ldiv(i * 7, 5);
    b[i] = each.quot + div(i, 3).rem;
  }
  return b[1];
}
//// what compilers have functions for
#include <complex.h>
double complex z[16], w[16];
unsigned a[16];
int bits[16];
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    bits[i] = __builtin_popcount(a[i]);
  for (int i = 1; i < 16; i++)  // sequential
    w[i] = w[i - 1] * z[i];
  for (int i = 0; i < 16; i++)  // parallel
    w[i] = z[i] * z[15 - i];
  return bits[1];
}
//// texts of widths and lengths that are given
#include <stdio.h>
char a[12][16];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    snprintf(a[i], 16, "%*.*s%.*s", 5, i % 4, "abcdef", 3, "xyz");
  for (int i = 1; i < 12; i++)  // sequential
    snprintf(a[i], 16, "%.*s%*d", 4, a[i - 1], 3, i);
  return a[11][2] & 1;
}
//// texts of arguments that are named by their numbers
#include <stdio.h>
char a[12][40], b[12][8];
int main(void) {
  for (int i = 1; i < 12; i++)  // parallel
    sprintf(a[i], "%4$s %3$5.2f %1$*2$d", i, 4, i * 2.0, b[i]);
  for (int i = 1; i < 12; i++)  // sequential
    sprintf(a[i], "%2$d%1$.5s", a[i - 1], i);
  for (int i = 1; i < 12; i++)  // sequential
    sprintf(a[i], "%3$.*2$s%1$f", 1.5, 4, a[i - 1]);
  for (int i = 1; i < 12; i++)  // sequential
    sprintf(a[i], "%9$d%2$f%1$d%3$d%4$d%5$d%6$d%8$.3s%7$d", 1, 2.0, 3, 4, 5, 6, 7, a[i - 1], 8);
  return a[11][2] & 1;
}
//// wide texts
#include <stdio.h>
#include <wchar.h>
wchar_t w[12][4];
char a[12][16];
int main(void) {
  for (int i = 1; i < 12; i++) {  // sequential
    sprintf(a[i], "%ls", w[i - 1]);
    w[i][0] = 'a' + a[i][0];
  }
  return a[11][0] & 1;
}
