#pragma once
#include <vector>

struct Rule {
    virtual ~Rule() {}
    virtual int next(int alive, int around) const = 0;
};

struct Life : Rule {
    int next(int alive, int around) const override;
};

class Grid {
    int n;
    std::vector<std::vector<int>> cells;

public:
    explicit Grid(int n);
    void start();
    Grid after(const Rule &rule) const;
    int alive() const;
};
