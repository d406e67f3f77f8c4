#include <stdio.h>
#include <stdlib.h>
#include "rows.h"

int main(int count, char **arguments) {
    int n = count > 1 ? atoi(arguments[1]) : 10;
    double **a = new_rows(n, n), *sums = calloc(n, sizeof *sums);
    for (int i = 0; i < n; i++)     /* fill rows */
        for (int j = 0; j < n; j++) /* fill columns */
            a[i][j] = i + j;        /* fill */
    relax(a, n);
    printf("%g\n", column_sums(a, sums, n, n));
    return 0;
}
