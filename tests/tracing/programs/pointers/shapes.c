#include "shapes.h"

shape shapes[] = {largest, weighted};

double largest(const double *x, int n) {
    double found = x[0];
    for (int k = 1; k < n; k++) /* largest */
        if (x[k] > found) found = x[k];
    return found;
}

double weighted(const double *x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++)     /* weighted rows */
        for (int l = 0; l < k; l++) /* weighted columns */
            sum += x[l];            /* weigh */
    return sum;
}
