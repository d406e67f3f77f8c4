/* The covariance matrix of m variables observed n times; data is centred in place. */
void covariance(int m, int n, double data[n][m], double cov[m][m])
{
    double mean[m];
#pragma scop
    for (int j = 0; j < m; j++) {
clear:  mean[j] = 0.0;
        for (int i = 0; i < n; i++)
sum:        mean[j] += data[i][j];
average: mean[j] /= n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
centre:     data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
start:      cov[i][j] = 0.0;
            for (int k = 0; k < n; k++)
add:            cov[i][j] += data[k][i] * data[k][j];
divide:     cov[i][j] /= n - 1.0;
mirror:     cov[j][i] = cov[i][j];
        }
#pragma endscop
}
