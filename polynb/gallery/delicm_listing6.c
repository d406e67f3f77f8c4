/* Sums of products after forwarding the load of A[i] (listing 2) to where it is used. */
void sums_of_products(int N, int K, double A[N], double B[K], double C[N])
{
    double a, a_S;
#pragma scop
    for (int i = 0; i < N; i += 1) {
T:      C[i] = 0;
T2:     a = A[i];
        for (int k = 0; k < K; k += 1) {
S2:         a_S = A[i];
S:          C[i] += a_S * B[k];
        }
    }
#pragma endscop
}
