typedef struct node {
    struct node *left, *right;
    int value;
} node;
node *insert(node *tree, int value);
int total(const node *tree);
int ping(int n, int *seen);
int pong(int n, int *seen);
