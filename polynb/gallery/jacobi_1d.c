/* Averages of three neighbours, back and forth between two arrays. */
void jacobi_1d(int tsteps, int n, double A[restrict static n], double B[restrict static n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
there:      B[i] = (A[i-1] + A[i] + A[i+1]) / 3.0;
        for (int i = 1; i < n - 1; i++)
back:       A[i] = (B[i-1] + B[i] + B[i+1]) / 3.0;
    }
#pragma endscop
}
