//// histogram
int a[40], h[5];
int main(void) {
  for (int i = 0; i < 40; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 40; i++)  // reduction
    h[a[i]]++;
  return h[3] & 1;
}
//// histogram whose bins never meet
int a[12], h[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    a[i] = i * 7 % 12;
  for (int i = 0; i < 12; i++)  // parallel by data
    h[a[i]]++;
  return h[3] & 1;
}
//// weights into bins
double w[40], h[5];
int a[40];
int main(void) {
  for (int i = 0; i < 40; i++) {  // parallel
    a[i] = i * i % 5;
    w[i] = i;
  }
  for (int i = 0; i < 40; i++)  // reduction
    h[a[i]] += w[i];
  return h[1] > 3;
}
//// gather
int a[20], p[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    p[i] = i * 7 % 20;
    a[i] = i * i;
  }
  for (int i = 0; i < 20; i++)  // parallel
    b[i] = a[p[i]];
  return b[3] & 1;
}
//// scatter
int a[20], p[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++) {  // parallel
    p[i] = i * 7 % 20;
    a[i] = i * i;
  }
  for (int i = 0; i < 20; i++)  // parallel by data
    b[p[i]] = a[i];
  return b[3] & 1;
}
//// a permutation followed
int p[20], b[20];
int main(void) {
  int at = 0;
  for (int i = 0; i < 20; i++)  // parallel
    p[i] = (i + 7) % 20;
  for (int i = 0; i < 20; i++) {  // sequential
    b[i] = at;
    at = p[at];
  }
  return b[3] & 1;
}
//// union and find
int parent[16], u[10] = {0, 1, 2, 0, 4, 5, 6, 7, 8, 3}, v[10] = {1, 2, 3, 3, 5, 6, 7, 4, 9, 9};
static int root(int x) {
  while (parent[x] != x)  // sequential
    x = parent[x];
  return x;
}
int main(void) {
  for (int i = 0; i < 16; i++)  // parallel
    parent[i] = i;
  for (int i = 0; i < 10; i++) {  // sequential
    int a = root(u[i]), b = root(v[i]);
    if (a != b) parent[a] = b;
  }
  return parent[3] & 1;
}
//// union and find whose writes are rare
int parent[32], u[8] = {0, 2, 4, 6, 8, 10, 12, 14}, v[8] = {1, 2, 4, 6, 8, 10, 12, 14};
int main(void) {
  for (int i = 0; i < 32; i++)  // parallel
    parent[i] = i;
  for (int i = 0; i < 8; i++) {  // sequential
    int a = parent[u[i]], b = parent[v[i]];
    if (a != b) parent[a] = b;
  }
  return parent[3] & 1;
}
//// union and find of pairs that never meet
int parent[32];
int main(void) {
  for (int i = 0; i < 32; i++)  // parallel
    parent[i] = i;
  for (int i = 0; i < 16; i++) {  // sequential
    int a = parent[2 * i], b = parent[2 * i + 1];
    if (a != b) parent[a] = b;
  }
  return parent[3] & 1;
}
//// a rare store
int a[20] = {[7] = 1}, b[20];
int main(void) {
  for (int i = 0; i < 19; i++)  // sequential
    if (a[i]) b[i + 1] = b[i] + 1;
  return b[8];
}
//// stores of their own under a condition
int a[20], b[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++)  // parallel
    if (a[i] > 2) b[i] = b[i] + a[i];
  for (int i = 0; i < 20; i++)  // parallel
    b[i] = a[i] > 1 ? b[i] : -b[i];
  return b[8] & 1;
}
//// a rare store of its own
int a[20] = {[7] = 1}, b[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    if (a[i]) b[i] += 1;
  return b[7];
}
//// a linked list walked
#include <stddef.h>
struct node { int v; struct node *next; } n[12];
int main(void) {
  int s = 0;
  for (int i = 0; i < 12; i++) {  // parallel
    n[i].v = i;
    n[i].next = i < 11 ? &n[i + 1] : NULL;
  }
  for (struct node *p = n; p; p = p->next)  // sequential
    s = s * 3 + p->v;
  return s & 1;
}
//// a linked list changed
#include <stddef.h>
struct node { int v; struct node *next; } n[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    n[i].next = i < 11 ? &n[i + 1] : NULL;
  struct node *p = n;
  while (p) {  // sequential
    p->v *= 2;
    p = p->next;
  }
  return n[3].v & 1;
}
//// a linked list made
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 8; i++) {  // sequential
    struct node *x = malloc(sizeof *x);
    x->v = i;
    x->next = head;
    head = x;
  }
  return head->v & 1;
}
//// a tree searched
int left[15], right[15], key[15], found[6];
int main(void) {
  for (int i = 0; i < 15; i++) {  // parallel
    left[i] = 2 * i + 1 < 15 ? 2 * i + 1 : -1;
    right[i] = 2 * i + 2 < 15 ? 2 * i + 2 : -1;
    key[i] = i;
  }
  for (int i = 0; i < 6; i++) {  // parallel
    int at = 0, d = 0;
    while (at >= 0 && d < 4) {  // sequential
      at = (i + d) % 2 ? left[at] : right[at];
      d++;
    }
    found[i] = d;
  }
  return found[3] & 1;
}
//// bubble sort
int a[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    a[i] = i * 7 % 12;
  for (int i = 0; i < 11; i++)  // sequential
    for (int j = 0; j < 11 - i; j++)  // sequential
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  return a[3];
}
//// insertion sort
int a[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    a[i] = i * 7 % 12;
  for (int i = 1; i < 12; i++) {  // sequential
    int x = a[i], j = i - 1;
    while (j >= 0 && a[j] > x) {  // sequential
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
  return a[3];
}
//// exchange of pairs
int a[12];
int main(void) {
  for (int i = 0; i < 12; i++)  // parallel
    a[i] = i * 7 % 12;
  for (int i = 0; i < 12; i += 2)  // parallel
    if (a[i] > a[i + 1]) {
      int t = a[i];
      a[i] = a[i + 1];
      a[i + 1] = t;
    }
  return a[3];
}
//// sieve
char composite[60];
int main(void) {
  for (int i = 2; i < 8; i++)  // sequential
    if (!composite[i])
      for (int j = i * i; j < 60; j += i)  // parallel
        composite[j] = 1;
  return composite[57];
}
//// a queue
int queue[40], seen[12];
int main(void) {
  int from = 0, to = 1;
  seen[0] = 1;
  while (from < to) {  // sequential
    int x = queue[from++];
    for (int k = 1; k < 3; k++) {  // sequential
      int y = (x * 2 + k) % 12;
      if (!seen[y]) {
        seen[y] = 1;
        queue[to++] = y;
      }
    }
  }
  return to;
}
//// a search that ends early
int a[20];
int main(void) {
  int at = -1;
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 20;
  for (int i = 0; i < 20; i++)  // sequential
    if (a[i] == 15) {
      at = i;
      break;
    }
  return at;
}
//// rows that are searched
int a[8][8], at[8];
int main(void) {
  for (int i = 0; i < 8; i++)  // parallel
    for (int j = 0; j < 8; j++)  // parallel
      a[i][j] = i * j % 5;
  for (int i = 0; i < 8; i++) {  // parallel
    at[i] = -1;
    for (int j = 0; j < 8; j++)  // sequential
      if (a[i][j] == 2) {
        at[i] = j;
        break;
      }
  }
  return at[3] & 1;
}
//// cellular automaton
int a[32], b[32];
int main(void) {
  a[15] = 1;
  for (int t = 0; t < 6; t++) {  // sequential
    for (int i = 1; i < 31; i++)  // parallel
      b[i] = a[i - 1] ^ a[i + 1];
    for (int i = 1; i < 31; i++)  // parallel
      a[i] = b[i];
  }
  return a[13];
}
//// sparse matrix
int start[7] = {0, 2, 3, 5, 6, 8, 9}, col[9] = {0, 3, 1, 2, 4, 5, 0, 4, 5};
double val[9], x[6], y[6];
int main(void) {
  for (int k = 0; k < 9; k++)  // parallel
    val[k] = k + 1;
  for (int i = 0; i < 6; i++)  // parallel
    x[i] = i;
  for (int i = 0; i < 6; i++) {  // parallel
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)  // reduction
      s += val[k] * x[col[k]];
    y[i] = s;
  }
  return y[3] > 1;
}
//// a bit set that is shared
unsigned set[2];
int a[20];
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 5 % 64;
  for (int i = 0; i < 20; i++)  // reduction
    set[a[i] / 32] |= 1u << a[i] % 32;
  return set[0] & 1;
}
//// a hash table
int key[16];
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    int k = i * 37 % 19 + 1, at = k % 4;
    while (key[at] && key[at] != k)  // sequential
      at = (at + 1) % 16;
    key[at] = k;
  }
  return key[3] & 1;
}
//// a hash table without collisions
int key[32], lost;
int main(void) {
  for (int i = 0; i < 12; i++) {  // sequential
    int k = i * 37 % 19 + 1;
    if (!key[k]) key[k] = i + 1;
    else lost = 1;
  }
  return key[3] & 1;
}
//// characters counted
char text[] = "the quick brown fox jumps over the lazy dog";
int many[26], upper[48];
int main(void) {
  for (int i = 0; text[i]; i++)  // reduction
    if (text[i] >= 'a' && text[i] <= 'z') many[text[i] - 'a']++;
  for (int i = 0; i < 43; i++)  // parallel
    upper[i] = text[i] >= 'a' ? text[i] - 32 : text[i];
  return many[4];
}
//// words counted
char text[] = "the quick brown fox";
int main(void) {
  int words = 0, in = 0;
  for (int i = 0; i < 19; i++) {  // sequential
    if (text[i] == ' ') in = 0;
    else if (!in) {
      in = 1;
      words++;
    }
  }
  return words;
}
//// a temporary that a condition changes
int a[20], b[20], t;
int main(void) {
  for (int i = 0; i < 20; i++)  // parallel
    a[i] = i * 7 % 5;
  for (int i = 0; i < 20; i++) {  // parallel
    t = 1;
    if (a[i] > 2) t = 5;
    b[i] = t;
  }
  for (int i = 0; i < 20; i++) {  // sequential
    if (a[i] > 2) t = i;
    b[i] = t;
  }
  return b[8] & 1;
}
