#include <stdio.h>
#include "tree.h"

static int seen[64];

static int down(int *a, int n) {
    if (n == 0) return a[0]; /* bottom */
    a[n] = a[n - 1] + 1;     /* descend */
    return down(a, n - 1);
}

int main(void) {
    static const int values[] = {4, 2, 6, 1, 3, 5, 7};
    static int a[16];
    node *tree = 0;
    for (int k = 0; k < 7; k++) /* insertions */
        tree = insert(tree, values[k]);
    int sum = total(tree) + down(a, 8);
    for (int round = 0; round < 2; round++) /* rounds */
        sum += ping(9, seen);
    printf("%d\n", sum);
    return 0;
}
