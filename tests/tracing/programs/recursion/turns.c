#include "tree.h"

int ping(int n, int *seen) {
    for (int k = 0; k < 3; k++) /* ping loop */
        seen[3 * n + k] = k;    /* ping */
    return n ? pong(n - 1, seen) : 0;
}

int pong(int n, int *seen) {
    seen[3 * n] = n; /* pong */
    return n ? ping(n - 1, seen) : 1;
}
