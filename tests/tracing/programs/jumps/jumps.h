int risky(int n);
void finish(void);
