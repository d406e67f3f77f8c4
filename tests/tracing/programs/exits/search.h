int first_row(int n, int (*a)[16], int wanted);
int pairs(int n, const int *x);
void sieve(int n, char *composite);
