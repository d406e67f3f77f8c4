/* B = alpha A^T B for a lower triangular A whose diagonal is 1 (and not read). */
void trmm(int m, int n, double alpha, double A[m][m], double B[m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
add:            B[i][j] += A[k][i] * B[k][j];
scale:      B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}
