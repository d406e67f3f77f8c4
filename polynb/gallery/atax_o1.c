/* atax as clang -O1 leaves it: three-address code, the sum of a row in a register, and its load
   before the loop that uses it. */
void atax(int m, int n, double A[restrict m][n], double x[restrict n], double y[restrict n])
{
    double tmp[m];
    double sum, t8, t9, t10, t6, t11, t12, t13, t14;
#pragma scop
    for (int i = 0; i < n; i++)
zero:   y[i] = 0.0;
    for (int i = 0; i < m; i++) {
clear:  tmp[i] = 0.0;
        if (n > 0) {
promote:    sum = tmp[i];
            for (int j = 0; j < n; j++) {
load8:          t8 = A[i][j];
load9:          t9 = x[j];
product10:      t10 = t8 * t9;
row:            sum = sum + t10;
            }
leave:      tmp[i] = sum;
        }
        if (n > 0) {
hoist:      t6 = tmp[i];
            for (int j = 0; j < n; j++) {
load11:         t11 = A[i][j];
load12:         t12 = y[j];
product13:      t13 = t11 * t6;
column:         t14 = t12 + t13;
store:          y[j] = t14;
            }
        }
    }
#pragma endscop
}
