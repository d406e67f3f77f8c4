#include <stdio.h>
#include "list.h"

int main(void) {
    static char copy[64];
    link_t *list = new_list(12);
    int sum = 0, rounds = 0;
    for (;;) { /* rounds */
        sum += sum_list(list);
        if (++rounds == 3) break;
    }
    printf("%d %d\n", sum, words("to be  or not to be", copy));
    return 0;
}
