#include <stdlib.h>
#include "rows.h"

double **new_rows(int rows, int columns) {
    double **a = malloc(rows * sizeof *a);
    for (int i = 0; i < rows; i++) /* allocate */
        a[i] = calloc(columns + i % 3, sizeof **a);
    return a;
}

void relax(double **a, int n) {
    for (int i = 1; i < n; i++)      /* relax rows */
        for (int j = i; j < n; j++)  /* relax columns */
            a[i][j] += a[i - 1][j];  /* update */
}

double column_sums(double **a, double *sums, int rows, int columns) {
    for (int j = 0; j < columns; j++)    /* columns */
        for (int k = 0; k < rows; k++)   /* rows */
            sums[j] += a[k][j];          /* sum */
    return sums[0];
}
