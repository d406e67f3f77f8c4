#include <cstdio>
#include <stdexcept>
#include "grid.h"

static int checked(int k) {
    if (k == 3) throw std::runtime_error("enough");
    return k;
}

int main() {
    static int turns[8];
    Grid grid(8);
    grid.start();
    try {
        for (int k = 0; k < 8; k++) { /* generations */
            turns[k] = checked(k);    /* turn */
            grid = grid.after(Life());
        }
    } catch (const std::exception &) {
        turns[7] = -1; /* caught */
    }
    for (int k = 0; k < 8; k++) turns[k]++; /* afterwards */
    std::printf("%d %d\n", grid.alive(), turns[7]);
}
