/* Solve T y = -r, where T is the symmetric Toeplitz matrix whose first row is
   1, r[0], ..., r[n-2] (Levinson and Durbin's recursion). */
void durbin(int n, double r[n], double y[n])
{
    double z[n], alpha, beta, sum;
#pragma scop
first:  y[0] = -r[0];
a0:     alpha = -r[0];
b0:     beta = 1.0;
    for (int k = 1; k < n; k++) {
error:  beta = (1.0 - alpha * alpha) * beta;
clear:  sum = 0.0;
        for (int i = 0; i < k; i++)
dot:        sum += r[k-i-1] * y[i];
reflect: alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++)
update:     z[i] = y[i] + alpha * y[k-i-1];
        for (int i = 0; i < k; i++)
copy:       y[i] = z[i];
last:   y[k] = alpha;
    }
#pragma endscop
}
