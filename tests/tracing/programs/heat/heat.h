enum { N = 12 };
void step(double (*now)[N], double (*next)[N]);
double total(double (*now)[N], double *partial);
