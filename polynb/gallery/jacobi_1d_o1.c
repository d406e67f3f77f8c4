/* jacobi_1d as clang -O1 leaves it: three-address code. */
void jacobi_1d(int tsteps, int n, double A[restrict n], double B[restrict n])
{
    double t1, t2, add, t3, add11, div, t5, t6, add25, t7, add29, div30;
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++) {
load1:      t1 = A[i-1];
load2:      t2 = A[i];
two:        add = t1 + t2;
load3:      t3 = A[i+1];
three:      add11 = add + t3;
third:      div = add11 / 3.0;
there:      B[i] = div;
        }
        for (int i = 1; i < n - 1; i++) {
load5:      t5 = B[i-1];
load6:      t6 = B[i];
pair:       add25 = t5 + t6;
load7:      t7 = B[i+1];
triple:     add29 = add25 + t7;
part:       div30 = add29 / 3.0;
back:       A[i] = div30;
        }
    }
#pragma endscop
}
