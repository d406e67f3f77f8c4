/* A = L U in place, without pivoting: L below the diagonal (its own is 1), U on and above. */
void lu(int n, double A[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
lower:          A[i][j] -= A[i][k] * A[k][j];
divide:     A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
upper:          A[i][j] -= A[i][k] * A[k][j];
    }
#pragma endscop
}
