#include <stdio.h>
#include <stdlib.h>
#include "shapes.h"

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b; /* compare */
    return (x > y) - (x < y);
}

int main(void) {
    static double x[8], results[6];
    for (int k = 0; k < 8; k++) x[k] = (5 * k) % 8; /* values */
    for (int t = 0; t < 6; t++)                     /* turns */
        results[t] = shapes[t % 2](x, 8);           /* call */
    for (int t = 0; t < 2; t++) /* sorts */
        qsort(x, 8, sizeof *x, by_value);
    printf("%g %g %g\n", results[0], results[5], x[7]);
    return 0;
}
