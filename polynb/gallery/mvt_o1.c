/* mvt as clang -O1 leaves it: three-address code, and both sums in registers, loaded and stored
   around the inner loops (which run whenever the outer ones do). */
void mvt(int n, double x1[restrict n], double x2[restrict n], double y_1[restrict n],
         double y_2[restrict n], double A[restrict n][n])
{
    double sum2, t3, t4, t5, sum6, t8, t9, t10;
#pragma scop
    for (int i = 0; i < n; i++) {
promote2: sum2 = x1[i];
        for (int j = 0; j < n; j++) {
load3:      t3 = A[i][j];
load4:      t4 = y_1[j];
product5:   t5 = t3 * t4;
plain:      sum2 = sum2 + t5;
        }
leave2: x1[i] = sum2;
    }
    for (int i = 0; i < n; i++) {
promote6: sum6 = x2[i];
        for (int j = 0; j < n; j++) {
load8:      t8 = A[j][i];
load9:      t9 = y_2[j];
product10:  t10 = t8 * t9;
turned:     sum6 = sum6 + t10;
        }
leave6: x2[i] = sum6;
    }
#pragma endscop
}
