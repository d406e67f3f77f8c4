#include <math.h>

/* A = L L^T of a positive definite matrix, in place; above the diagonal A stays as it is. */
void cholesky(int n, double A[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
below:          A[i][j] -= A[i][k] * A[j][k];
divide:     A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
diagonal:   A[i][i] -= A[i][k] * A[i][k];
root:   A[i][i] = sqrt(A[i][i]);
    }
#pragma endscop
}
