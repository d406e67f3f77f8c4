"""Programs that schedulers stumble over, which several rooms ask for."""

HARD = """void f(int n, double a[n][n], double t[n], double o[n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = i; j <= n - 2; j++)
        for (int k = j; k <= n - 1; k++) { a[j][k/2] = t[k]; a[j][j] = a[j][k]; }
    for (int i = 2; i <= n - 1; i++)
      for (int j = n - 1; j >= 0; j--) a[i][j] = o[i][j];
}"""
"""No affine schedule is found below j."""

FORGOTTEN = """param N;  assume N >= 0;  temp s;  inout X[2*N+2][2*N+2];  output Y[2*N+2];
for i = 1 to N-1 do
  s = X[i][i] + 1; // S0
  for j = 0 to N-1 do
    X[i][j+1] = X[i][j+1] + s + B[j]; // S1
    X[i][j+1] = s + A[i][j]; // S2
  done
done
for i = 0 to N-1 do
  s = X[i][i] + 1; // S3
  for j = i to N-1 do
    s = A[j][i] + 1; // S4
    s = X[i][j]; // S5
  done
done
for i = 0 to N-1 do
  for j = i to N-1 do
    s = X[i][j]; // S6
    s = X[i][j] + 1; // S7
    s = X[i][j] + 1; // S8
    X[i][j] = s + A[j][i]; // S9
  done
done"""
"""isl's order of whole components overwrites s."""
