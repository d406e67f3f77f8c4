/* Sums of neighbours, then differences of the sums: two scalars serialise both nests. */
void foo(int Nx, int Ny, int Nz,
    int a[restrict static Nx][Ny][Nz],
    int x[restrict static Nx][Ny][Nz],
    int rho[restrict static Nx][Ny][Nz])
{
    int a0, am1;
    for (int i1 = 0; i1 < Nx; i1++) {
        for (int j1 = 0; j1 < Ny; j1++) {
            for (int k1 = 1; k1 < Nz; k1++) {
S1:
                a0 = a[i1][j1][k1];
S2:
                am1 = a[i1][j1][k1-1];
S3:
                x[i1][j1][k1] = a0 + am1;
            }
        }
    }
    for (int i2 = 0; i2 < Nx; i2++) {
        for (int j2 = 0; j2 < Ny; j2++) {
            for (int k2 = 0; k2 < Nz - 1; k2++) {
S4:
                a0 = a[i2][j2][k2];
S5:
                rho[i2][j2][k2] = a0 +
                    (x[i2][j2][k2+1] - x[i2][j2][k2]);
            }
        }
    }
}
