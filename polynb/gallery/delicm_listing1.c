/* Sums of products, on arrays only. */
void sums_of_products(int N, int K, double A[N], double B[K], double C[N])
{
#pragma scop
    for (int i = 0; i < N; i += 1) {
T:      C[i] = 0;
        for (int k = 0; k < K; k += 1)
S:          C[i] += A[i] * B[k];
    }
#pragma endscop
}
