/* 2mm as clang -O1 leaves it: three-address code, and the sums in registers during the loops over
   k, loaded and stored where these loops run. */
void two_mm(int ni, int nj, int nk, int nl, double alpha, double beta,
            double A[restrict ni][nk], double B[restrict nk][nj], double C[restrict nj][nl],
            double D[restrict ni][nl])
{
    double tmp[ni][nj];
    double sum7, t8, mul, t10, t11, t14, mul44, sum15, t16, t18, t19;
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
clear:      tmp[i][j] = 0.0;
            if (nk > 0) {
promote7:       sum7 = tmp[i][j];
                for (int k = 0; k < nk; k++) {
load8:              t8 = A[i][k];
scaled:             mul = alpha * t8;
load10:             t10 = B[k][j];
product11:          t11 = mul * t10;
first:              sum7 = sum7 + t11;
                }
leave7:         tmp[i][j] = sum7;
            }
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
load14:     t14 = D[i][j];
scale:      mul44 = t14 * beta;
store:      D[i][j] = mul44;
            if (nj > 0) {
promote15:      sum15 = D[i][j];
                for (int k = 0; k < nj; k++) {
load16:             t16 = tmp[i][k];
load18:             t18 = C[k][j];
product19:          t19 = t16 * t18;
second:             sum15 = sum15 + t19;
                }
leave15:        D[i][j] = sum15;
            }
        }
#pragma endscop
}
