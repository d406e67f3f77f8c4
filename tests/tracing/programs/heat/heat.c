#include <omp.h>
#include "heat.h"

void step(double (*now)[N], double (*next)[N]) {
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)     /* stencil rows */
        for (int j = 1; j < N - 1; j++) /* stencil columns */
            next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]); /* stencil */
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)     /* back rows */
        for (int j = 1; j < N - 1; j++) /* back columns */
            now[i][j] = next[i][j];     /* back */
}

double total(double (*now)[N], double *partial) {
    double sum = 0;
#pragma omp parallel
    {
        int t = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int i = t; i < N; i += threads) /* partial rows */
            for (int j = 0; j < N; j++)      /* partial columns */
                partial[t] += now[i][j];     /* partial */
    }
    for (int t = 0; t < omp_get_max_threads(); t++) sum += partial[t];
    return sum;
}
