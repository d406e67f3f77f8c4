#include <setjmp.h>
#include "jumps.h"

static jmp_buf back;
static int depth[32];

static void deeper(int n, int limit) {
    depth[n] = n; /* deeper */
    if (n == limit) longjmp(back, 1);
    deeper(n + 1, limit);
}

int risky(int n) {
    if (setjmp(back) == 0)
        for (int k = 0; k < 4; k++) /* until */
            deeper(0, n);
    return depth[n]; /* after the jump */
}

void finish(void) {
    for (int k = 0; k < 32; k++) depth[k] = 0; /* finish */
}
