#include <stdio.h>
#include <stdlib.h>
#include "jumps.h"

int main(void) {
    static int results[6];
    atexit(finish);
    for (int n = 0; n < 6; n++)    /* jumps */
        results[n] = risky(n);     /* result */
    printf("%d\n", results[5]);
    exit(3);
}
