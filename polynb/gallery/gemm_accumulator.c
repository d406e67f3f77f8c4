/* Matrix product with the sum of each cell in a scalar: C = alpha A B + beta C. */
void gemm(int ni, int nj, int nk, double alpha, double beta,
          double C[ni][nj], double A[ni][nk], double B[nk][nj])
{
    double sum;
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
clear:      sum = 0.0;
            for (int k = 0; k < nk; k++)
add:            sum += A[i][k] * B[k][j];
store:      C[i][j] = alpha * sum + beta * C[i][j];
        }
#pragma endscop
}
