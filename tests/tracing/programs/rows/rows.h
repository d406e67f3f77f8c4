double **new_rows(int rows, int columns);
void relax(double **a, int n);
double column_sums(double **a, double *sums, int rows, int columns);
