/* Sums of products after partial promotion of C[i] to a temporary of each iteration. (The paper
   writes S and W as one assignment: C[i] = (c += A[i] * B[k]).) */
void sums_of_products(int N, int K, double A[N], double B[K], double C[N])
{
    double c;
#pragma scop
    for (int i = 0; i < N; i += 1) {
T:      c = 0;
        for (int k = 0; k < K; k += 1) {
S:          c += A[i] * B[k];
W:          C[i] = c;
        }
    }
#pragma endscop
}
