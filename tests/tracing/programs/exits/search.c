#include "search.h"

int first_row(int n, int (*a)[16], int wanted) {
    for (int i = 0; i < n; i++)     /* search rows */
        for (int j = 0; j < n; j++) /* search columns */
            if (a[i][j] == wanted)  /* found */
                return i;
    return -1;
}

int pairs(int n, const int *x) {
    int count = 0;
    for (int i = 0; i < n; i++) {      /* pairs outer */
        for (int j = i; j < n; j++) {  /* pairs inner */
            if (j > i + 3) break;
            if ((x[j] & 1) == 0) continue; /* odd */
            if (x[i] + x[j] > 20) goto out; /* both */
            count++;
        }
    }
out:
    return count;
}

void sieve(int n, char *composite) {
    for (int p = 2; p * p <= n; p++) {          /* primes */
        if (composite[p]) continue;             /* prime */
        for (int m = p * p; m <= n; m += p)     /* multiples */
            composite[m] = 1;                   /* mark */
    }
}
