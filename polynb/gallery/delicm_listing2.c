/* Sums of products after hoisting the load of A[i]. */
void sums_of_products(int N, int K, double A[N], double B[K], double C[N])
{
    double a;
#pragma scop
    for (int i = 0; i < N; i += 1) {
T:      C[i] = 0;
T2:     a = A[i];
        for (int k = 0; k < K; k += 1)
S:          C[i] += a * B[k];
    }
#pragma endscop
}
