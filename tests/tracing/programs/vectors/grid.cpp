#include "grid.h"

int Life::next(int alive, int around) const { return around == 3 || (alive && around == 2); }

Grid::Grid(int n) : n(n), cells(n, std::vector<int>(n)) {}

void Grid::start() {
    for (int i = 0; i < n; i++)          /* start rows */
        for (int j = 0; j < n; j++)      /* start columns */
            cells[i][j] = (i * j) % 3 == 1; /* start */
}

Grid Grid::after(const Rule &rule) const {
    Grid result(n);
    for (int i = 1; i < n - 1; i++)        /* after rows */
        for (int j = 1; j < n - 1; j++) {  /* after columns */
            int around = -cells[i][j];
            for (int k = i - 1; k <= i + 1; k++)     /* around rows */
                for (int l = j - 1; l <= j + 1; l++) /* around columns */
                    around += cells[k][l];           /* around */
            result.cells[i][j] = rule.next(cells[i][j], around); /* result */
        }
    return result;
}

int Grid::alive() const {
    int count = 0;
    for (const auto &row : cells) /* alive rows */
        for (int cell : row)      /* alive columns */
            count += cell;        /* alive */
    return count;
}
