/* gemm as clang -O1 leaves it: three-address code, and C[i][j] in a register during the loop over
   k, loaded and stored where that loop runs. */
void gemm(int ni, int nj, int nk, double alpha, double beta,
          double C[restrict ni][nj], double A[restrict ni][nk], double B[restrict nk][nj])
{
    double t4, mul, promoted, t6, mul15, t8, t9;
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
load4:      t4 = C[i][j];
scale:      mul = t4 * beta;
store:      C[i][j] = mul;
            if (nk > 0) {
promote:        promoted = C[i][j];
                for (int k = 0; k < nk; k++) {
load6:              t6 = A[i][k];
scaled:             mul15 = alpha * t6;
load8:              t8 = B[k][j];
product:            t9 = mul15 * t8;
add:                promoted = promoted + t9;
                }
leave:          C[i][j] = promoted;
            }
        }
#pragma endscop
}
