#include <stdio.h>
#include "search.h"

int main(void) {
    static int a[16][16], x[16];
    static char composite[65];
    for (int i = 0; i < 16; i++) {  /* setup rows */
        x[i] = i;
        for (int j = 0; j < 16; j++) /* setup columns */
            a[i][j] = 16 * i + j;    /* setup */
    }
    sieve(64, composite);
    printf("%d %d %d\n", first_row(16, a, 100), pairs(16, x), composite[49]);
    return 0;
}
