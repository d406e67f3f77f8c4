/* trmm as clang -O1 leaves it: three-address code. B[i][j] stays in memory, for it cannot tell
   B[k][j] from it. */
void trmm(int m, int n, double alpha, double A[restrict m][m], double B[restrict m][n])
{
    double t8, t10, t11, mul12, t12, t6, mul;
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++) {
load8:          t8 = A[k][i];
load10:         t10 = B[k][j];
product:        mul12 = t8 * t10;
load11:         t11 = B[i][j];
sum:            t12 = t11 + mul12;
add:            B[i][j] = t12;
            }
load6:      t6 = B[i][j];
scaled:     mul = alpha * t6;
scale:      B[i][j] = mul;
        }
#pragma endscop
}
