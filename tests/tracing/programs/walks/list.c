#include <stdlib.h>
#include "list.h"

link_t *new_list(int n) {
    link_t *first = 0;
    while (n-- > 0) { /* build */
        link_t *fresh = malloc(sizeof *fresh);
        fresh->next = first; /* link */
        fresh->value = n;
        first = fresh;
    }
    return first;
}

int sum_list(const link_t *list) {
    int sum = 0;
    while (list) {          /* follow */
        sum += list->value; /* value */
        list = list->next;  /* next */
    }
    return sum;
}

int words(const char *text, char *copy) {
    int count = 0;
    do {                              /* words */
        count++;
        while (*text == ' ') text++;  /* blanks */
        while (*text && *text != ' ') /* letters */
            *copy++ = *text++;        /* copy */
    } while (*text);
    return count;
}
