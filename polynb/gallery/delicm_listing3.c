/* Sums of products after promotion of C[i] to a scalar. */
void sums_of_products(int N, int K, double A[N], double B[K], double C[N])
{
    double c;
#pragma scop
    for (int i = 0; i < N; i += 1) {
T:      c = 0;
        for (int k = 0; k < K; k += 1)
S:          c += A[i] * B[k];
U:      C[i] = c;
    }
#pragma endscop
}
