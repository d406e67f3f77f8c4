/* Matrix product: C = alpha A B + beta C. */
void gemm(int ni, int nj, int nk, double alpha, double beta,
          double C[ni][nj], double A[ni][nk], double B[nk][nj])
{
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
scale:      C[i][j] *= beta;
            for (int k = 0; k < nk; k++)
add:            C[i][j] += alpha * A[i][k] * B[k][j];
        }
#pragma endscop
}
