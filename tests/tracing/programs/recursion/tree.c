#include <stdlib.h>
#include "tree.h"

node *insert(node *tree, int value) {
    if (!tree) {
        node *fresh = calloc(1, sizeof *fresh);
        fresh->value = value; /* leaf */
        return fresh;
    }
    if (value < tree->value)
        tree->left = insert(tree->left, value);
    else
        tree->right = insert(tree->right, value);
    return tree;
}

int total(const node *tree) {
    if (!tree) return 0;
    return total(tree->left) + tree->value + total(tree->right); /* total */
}
