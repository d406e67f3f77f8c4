typedef struct link {
    struct link *next;
    int value;
} link_t;
link_t *new_list(int n);
int sum_list(const link_t *list);
int words(const char *text, char *copy);
