/* C = A + the transpose of B, through one scalar. */
void f(int n, int A[restrict static n][n],
    int B[restrict static n][n],
    int C[restrict static n][n])
{
    int t;
#pragma scop
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
S1:
            t = A[i][j];
S2:
            C[i][j] = t;
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
S3:
            t = B[i][j];
S4:
            C[j][i] += t;
        }
#pragma endscop
}
