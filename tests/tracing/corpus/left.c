//// the last that was found
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] == 5) last = i;
  return last & 1;
}
//// the last that was found, in memory
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, last = -1;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] == 5) last = i;
  return last & 1;
}
//// what was found once
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, place = -1;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] == 9) place = i;
  return place & 1;
}
//// a pointer to what was found
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int *found = a;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] == 5) found = &a[i];
  return *found & 1;
}
//// a function that finds
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
void look(int *last, int i) {
  if (a[i] == 5) *last = i;
}
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++)  // sequential
    look(&last, i);
  return last & 1;
}
//// a function that gives the last
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
void set(int *last, int v) { *last = v; }
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++)  // parallel
    set(&last, a[i]);
  return last & 1;
}
//// the last of all
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++) {  // parallel
    last = a[i];
  }
  return last & 1;
}
//// the last of two ways
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last;
  for (int i = 0; i < 12; i++) {  // parallel
    if (a[i] > 4)
      last = i;
    else
      last = -i;
  }
  return last & 1;
}
//// the last but what is gone over
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++) {  // sequential
    b[i] = a[i];
    if (a[i] < 4) continue;
    last = b[i];
  }
  return last & 1;
}
//// a value that is used, and kept
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  int v = 0;
  for (int i = 0; i < 12; i++) {  // parallel
    v = a[i] * 3;
    b[i] = v;
  }
  return (v + b[3]) & 1;
}
//// a value that is used, and made anew before it is read
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  int v = 0;
  for (int i = 0; i < 12; i++)  // parallel
    if (a[i] > 3) {
      v = a[i] * 3;
      b[i] = v;
    }
  v = b[3];
  return v & 1;
}
//// another variable of that name
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  {
    int v = 0;
    for (int i = 0; i < 12; i++)  // parallel
      if (a[i] > 3) {
        v = a[i] * 3;
        b[i] = v;
      }
  }
  int v = b[3];
  return v & 1;
}
//// read in the next round
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[4];
int main(void) {
  int last;
  for (int t = 0; t < 4; t++) {  // parallel
    last = -1;
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] > t) last = i;
    b[t] = last;
  }
  return b[1] & 1;
}
//// a local that is read in the next round
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[4];
int main(void) {
  int last = -1;
  for (int t = 0; t < 4; t++) {  // sequential
    b[t] = last;
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] > t) last = i;
  }
  return b[1] & 1;
}
//// cells of two iterations
int b[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    b[i / 2] = i;
  return b[3] & 1;
}
//// cells in a circle
int b[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    b[i % 5] = i;
  return b[3] & 1;
}
//// cells by data that meet
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    b[a[i]] = i;
  return b[3] & 1;
}
//// cells by data that happen to differ
int p[12] = {3, 1, 4, 0, 5, 9, 2, 6, 7, 11, 10, 8}, b[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel by data
    b[p[i]] = i;
  return b[3] & 1;
}
//// cells by data that are read in another array
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    b[i] = a[a[i]] + 1;
  return b[3] & 1;
}
//// every third iteration
struct { int x, y; } p;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (i % 3 == 0) p.x = i;
  return p.x & 1;
}
//// but the last iterations
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, b[12], last;
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    b[i] = a[i];
    if (i < 9) last = i;
  }
  return (last + b[3]) & 1;
}
//// rows that get shorter
int b[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    for (int k = 0; k < 12 - i; k++)  // parallel
      b[k] = i + k;
  return b[3] & 1;
}
//// rows of one length
int b[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    for (int k = 0; k < 12; k++)  // parallel
      b[k] = i + k;
  return b[3] & 1;
}
//// parts of one word
struct { unsigned x : 3, y : 3; } p;
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    if (i % 2)
      p.x = i & 7;
    else
      p.y = i & 7;
  return (p.x + p.y) & 1;
}
//// bytes that overlap
#include <string.h>
char c[30];
int main(void) {
  for (int i = 0; i < 12; i++)  // sequential
    memset(c + i, i, 3);
  return (c[3] + c[13]) & 1;
}
//// a text of the last
#include <stdio.h>
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  char text[20];
  for (int i = 0; i < 12; i++)  // parallel
    snprintf(text, sizeof text, "%d", a[i]);
  return text[0] & 1;
}
//// a recursion with loops in it
int a[4] = {3, 1, 4, 1}, last, b[8];
int down(int n) {
  for (int i = 0; i < 4; i++) {  // sequential
    if (n && i == 1) down(n - 1);
    b[n] = a[i];
    if (a[i] == 1) last = i;
  }
  return last;
}
int main(void) { return down(2) & 1; }
//// texts of two lengths
#include <string.h>
char s[16];
int main(void) {
  for (int i = 0; i < 10; i++)  // sequential
    strcpy(s, i < 5 ? "something" : "ab");
  return s[7] & 1;
}
//// texts of one length
#include <string.h>
char s[16];
int main(void) {
  for (int i = 0; i < 10; i++)  // parallel
    strcpy(s, i < 5 ? "xy" : "ab");
  return s[1] & 1;
}
//// fills that get shorter
#include <string.h>
char s[16];
int main(void) {
  for (int i = 0; i < 10; i++)  // sequential
    memset(s, 'a' + i, 10 - i);
  return s[8] & 1;
}
//// what the last iteration filled of fills that get shorter
#include <string.h>
char s[16];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    memset(s, 'a' + i, 10 - i);
  return s[2] & 1;
}
//// fills that get shorter, in rows
#include <string.h>
char s[6][16], t[6];
int main(void) {
  for (int k = 0; k < 6; k++)  // parallel
    for (int i = 0; i < 10; i++)  // sequential
      memset(s[k], 'a' + i, 10 - i);
  for (int k = 0; k < 6; k++)  // parallel
    t[k] = s[k][k + 2];
  return t[1] & 1;
}
//// what is found on diagonals
int v;
int main(void) {
  for (int i = 0; i < 8; i++)  // sequential
    for (int j = 0; j < 8; j++)  // sequential
      if ((i + j) % 5 == 0) v = i * 10 + j;
  return v & 1;
}
//// cells of one row, written again for each
int b[8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++)  // parallel
      b[j] = i;
  return b[3] & 1;
}
//// locals behind pointers
#include <stdio.h>
int main(int argc, char **argv) {
  int v = 0, w = 0, *q[2] = {&v, &w};
  for (int i = 0; i < 20; i++)  // sequential
    *q[(i * 7 * argc) % 11 > 3] = i;
  printf("%d %d\n", v, w);
  return 0;
}
//// a local buffer that a function fills in part
#include <stdio.h>
void part(int n, int *b) {
  for (int i = 0; i < n % 4; i++)  // parallel
    b[i] = n;
}
int main(int argc, char **argv) {
  int a[20], buf[4] = {0};
  for (int i = 0; i < 20; i++) a[i] = (i * 7 * argc) % 11;
  for (int i = 0; i < 20; i++)  // sequential
    part(a[i], buf);
  printf("%d\n", buf[2]);
  return 0;
}
//// thirds that are read at exit
#include <stdio.h>
#include <stdlib.h>
int b[8];
void bye(void) { printf("%d\n", b[2]); }
int main(void) {
  atexit(bye);
  for (int i = 0; i < 20; i++)  // sequential
    b[i / 3] = i;
  return 0;
}
//// the last that was found, read on a way not taken
#include <stdio.h>
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, asked;
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] == 5) last = i;
  if (asked) printf("%d\n", last);
  return 0;
}
//// the last of rows
int a[24];
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++)  // parallel
    for (int k = 0; k < 12; k++)  // parallel
      last = a[i + k];
  return last;
}
//// the last of rows of which the last are empty
int a[24];
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++)  // sequential
    for (int k = i; k < 9; k++)  // parallel
      last = a[i + k];
  return last;
}
//// the last of rows of their own lengths
int a[24], n[12] = {1, 2, 1, 1, 2, 3, 1, 1, 1, 2, 1, 1};
int main(void) {
  int last = -1;
  for (int i = 0; i < 12; i++)  // sequential
    for (int k = 0; k < n[i]; k++)  // parallel
      last = a[i + k];
  return last;
}
//// a switch that is left
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int look(int how) {
  int last = -1;
  switch (how) {
    case 0:
      for (int i = 0; i < 12; i++)  // sequential
        if (a[i] == 5) last = i;
      break;
    default:
      last = 0;
  }
  return last;
}
int main(void) { return look(0) & 1; }
//// a round that is left
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last = -1;
  while (1) {
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] == 5) last = i;
    break;
  }
  return last & 1;
}
//// a round that is left on a condition
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last = -1;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] == 5) last = i;
    if (a[k] < 4) break;
    last = 0;
  }
  return last & 1;
}
//// rounds that go on at once
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last = -1;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] == 5) last = i;
    continue;
  }
  return last & 1;
}
//// rounds that go on, and a step that reads
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int n = 0;
  for (int k = 0, last = 0; k < 12; k = last + 3) {
    last = k;
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] == 5) last = k;
    n++;
  }
  return n & 1;
}
//// a jump over what writes it anew
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int look(int how) {
  int last = -1;
  if (how) {
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] == 5) last = i;
    goto done;
  }
  last = 0;
done:
  return last;
}
int main(void) { return look(1) & 1; }
//// written in some rounds
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last = -1, k = 0;
  for (int i = 0; i < 12; i++)  // sequential
    if (a[i] == 5) last = i;
  do {
    if (k < 9) continue;
    last = 0;
  } while (++k < 3);
  return last & 1;
}
//// the case behind writes on a condition
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int look(int how) {
  int last = -1;
  switch (how) {
    case 0:
      for (int i = 0; i < 12; i++)  // sequential
        if (a[i] == 5) last = i;
    case 1:
      if (how) last = 0;
  }
  return last;
}
int main(void) { return look(0) & 1; }
//// written anew behind a switch
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int look(int how) {
  int last = -1;
  switch (how) {
    case 0:
      for (int i = 0; i < 12; i++)  // parallel
        if (a[i] == 5) last = i;
      break;
    default:
      return last;
  }
  last = 0;
  return last;
}
int main(void) { return look(0) & 1; }
//// left for good
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int look(int how) {
  int last = -1;
  for (int k = 0; k < 3; k++) {
    last = 0;
    for (int i = 0; i < 12; i++)  // parallel
      if (a[i] == 5) last = i;
    if (a[k] > 90) continue;
    if (a[k] > how) goto none;
    last = 0;
  }
none:
  last = 0;
  return last;
}
int main(void) { return look(0) & 1; }
//// a round that is left on a way not taken
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
int main(void) {
  int last = -1;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 12; i++)  // sequential
      if (a[i] == 5) last = i;
    if (a[k] > 90) goto done;
    last = 0;
  }
  last = 0;
done:
  return last & 1;
}
//// programs that end at once
#include <stdlib.h>
#include <unistd.h>
int a[12] = {3, 1, 4, 1, 5}, o[12];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] < 0) _exit(3);
    o[i] = a[i];
  }
  for (int i = 0; i < 12; i++) {  // sequential
    if (a[i] < 0) quick_exit(3);
    o[i] = a[i];
  }
  return o[3] & 1;
}
