/* y = A^T (A x), a row of A at a time. */
void atax(int m, int n, double A[m][n], double x[n], double y[n])
{
    double tmp[m];
#pragma scop
    for (int i = 0; i < n; i++)
zero:   y[i] = 0.0;
    for (int i = 0; i < m; i++) {
clear:  tmp[i] = 0.0;
        for (int j = 0; j < n; j++)
row:        tmp[i] += A[i][j] * x[j];
        for (int j = 0; j < n; j++)
column:     y[j] += A[i][j] * tmp[i];
    }
#pragma endscop
}
