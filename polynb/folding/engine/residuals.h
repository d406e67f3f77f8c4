/* The hash of what labels do along top coordinates: see polynb/folding/residuals.py. */
#define FOLD_PRIME (((uint64_t)1 << 61) - 1)

static uint64_t fold_mod(uint64_t x) {
  x = (x & FOLD_PRIME) + (x >> 61);
  return x >= FOLD_PRIME ? x - FOLD_PRIME : x;
}

static uint64_t fold_negative(uint64_t x) { return x ? FOLD_PRIME - x : 0; }

static uint64_t fold_mod_signed(int64_t x) {
  return x < 0 ? fold_negative(fold_mod(-(uint64_t)x)) : fold_mod((uint64_t)x);
}

static uint64_t fold_mod_wide(fold_wide x) {
  unsigned __int128 u = x < 0 ? -(unsigned __int128)x : (unsigned __int128)x;
  uint64_t parts = (uint64_t)(u & FOLD_PRIME) + (uint64_t)(u >> 61 & FOLD_PRIME);
  uint64_t found = fold_mod(parts + (uint64_t)(u >> 122));
  return x < 0 ? fold_negative(found) : found;
}

static uint64_t fold_times(uint64_t a, uint64_t b) {
  unsigned __int128 u = (unsigned __int128)a * b;
  return fold_mod((uint64_t)(u & FOLD_PRIME) + (uint64_t)(u >> 61));
}

static uint64_t fold_weight(int axis, int64_t coordinate) {
  uint64_t z = (uint64_t)coordinate + (uint64_t)(axis + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return fold_mod(z ^ z >> 31);
}

/* One coordinate more, over [low, high], along which the label moves by `slope` from `origin`. */
static void fold_along(fold_label *r, int axis, int64_t low, int64_t high, int64_t slope,
                       int64_t origin) {
  uint64_t weights = 0, moments = 0;
  for (int64_t c = low; c <= high; c++) {
    uint64_t w = fold_weight(axis, c);
    weights = fold_mod(weights + w);
    moments = fold_mod(moments + fold_times(w, fold_mod_signed(c - origin)));
  }
  uint64_t moved = fold_times(fold_times(r->weight, fold_mod_signed(slope)), moments);
  r->total = fold_mod(fold_times(r->total, weights) + moved);
  r->weight = fold_times(r->weight, weights);
}
