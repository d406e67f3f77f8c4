typedef double (*shape)(const double *x, int n);
extern shape shapes[];
double largest(const double *x, int n);
double weighted(const double *x, int n);
