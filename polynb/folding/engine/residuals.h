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

/* Weights are drawn by each process: who knows them knows labels whose hashes are the same. */
static uint64_t fold_seed;

__attribute__((constructor(101))) static void fold_draw(void) {
#ifdef __linux__
  const unsigned char *drawn = (const unsigned char *)getauxval(AT_RANDOM); /* 16 bytes */
  if (drawn) memcpy(&fold_seed, drawn + 4, sizeof fold_seed);
#else
  arc4random_buf(&fold_seed, sizeof fold_seed);
#endif
  fold_seed *= 0xD1342543DE82EF95u;
}

/* The weight of a coordinate: odd, any of 64 bits. */
static uint64_t fold_weight(int axis, int64_t coordinate) {
  uint64_t z = fold_seed + (uint64_t)coordinate + (uint64_t)(axis + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (z ^ z >> 31) | 1;
}

static const fold_residuals FOLD_POINT = {.weight = 1, .weight_word = 1, .partial = -1};

/* One coordinate more, over [low, high], along which the label moves by `slope` from `origin`. */
static void fold_along(fold_residuals *r, int axis, int64_t low, int64_t high, int64_t slope,
                       int64_t origin) {
  uint64_t weights = 0, moments = 0, weights_word = 0, moments_word = 0;
  for (int64_t c = low; c <= high; c++) {
    uint64_t word = fold_weight(axis, c), w = fold_mod(word);
    weights = fold_mod(weights + w);
    moments = fold_mod(moments + fold_times(w, fold_mod_signed(c - origin)));
    weights_word += word;
    moments_word += word * (uint64_t)(c - origin);
  }
  uint64_t moved = fold_times(fold_times(r->weight, fold_mod_signed(slope)), moments);
  r->total = fold_mod(fold_times(r->total, weights) + moved);
  r->weight = fold_times(r->weight, weights);
  r->total_word = r->total_word * weights_word + r->weight_word * (uint64_t)slope * moments_word;
  r->weight_word *= weights_word;
  r->ends = !r->axes++;
  r->axis = axis;
  r->low = low;
  r->high = high;
  r->first = (fold_wide)slope * (low - origin);
  r->second = r->first + slope;
  r->last = (fold_wide)slope * (high - origin);
}

/* Those of both, which have no coordinate in common: the other's are `shift` larger, and one step
   further along an axis. */
static void fold_sum(fold_residuals *one, const fold_residuals *other, fold_wide shift) {
  uint64_t shifted = fold_times(fold_mod_wide(shift), other->weight);
  one->total = fold_mod(fold_mod(one->total + other->total) + shifted);
  one->weight = fold_mod(one->weight + other->weight);
  one->total_word += other->total_word + (uint64_t)shift * other->weight_word;
  one->weight_word += other->weight_word;
  one->lost |= other->lost;
  one->ends &= other->ends;
  if (one->low >= one->high) one->second = other->first + shift;
  one->high = other->high;
  one->last = other->last + shift;
}

static int fold_is_near(const fold_residuals *r, int64_t low, int64_t high) {
  return low - r->low <= 1 && r->high - high <= 1;
}

/* A slice without the ends beyond [low, high]: totals and weights only. */
static fold_residuals fold_trimmed(const fold_residuals *r, int64_t low, int64_t high) {
  fold_residuals t = *r;
  for (int upper = 0; upper < 2; upper++) {
    if (upper ? r->high <= high : r->low >= low) continue;
    uint64_t word = fold_weight(r->axis, upper ? r->high : r->low), w = fold_mod(word);
    fold_wide end = upper ? r->last : r->first;
    t.total = fold_mod(t.total + fold_negative(fold_times(fold_mod_wide(end), w)));
    t.weight = fold_mod(t.weight + fold_negative(w));
    t.total_word -= (uint64_t)end * word;
    t.weight_word -= word;
  }
  return t;
}

/* Add a constant to all residuals. */
static void fold_shift(fold_residuals *r, fold_wide shift) {
  r->total = fold_mod(r->total + fold_times(fold_mod_wide(shift), r->weight));
  r->total_word += (uint64_t)shift * r->weight_word;
  r->first += shift;
  r->second += shift;
  r->last += shift;
}

static int fold_same_sums(const fold_residuals *one, const fold_residuals *other) {
  return one->total == other->total && one->weight == other->weight &&
         one->total_word == other->total_word && one->weight_word == other->weight_word;
}

/* Whether neighbours along an axis have the same residuals but for a constant, `shift`; `one` is
   then that of both. */
static int fold_agree(fold_residuals *one, const fold_residuals *other, int axis,
                      fold_wide *shift) {
  *shift = 0;
  if (one->lost || other->lost) return 0;
  if (!one->ends || !other->ends)
    return fold_same_sums(one, other) && one->ends == other->ends;
  int64_t low = one->low > other->low ? one->low : other->low;
  int64_t high = one->high < other->high ? one->high : other->high;
  if (low > high || !fold_is_near(one, low, high) || !fold_is_near(other, low, high)) return 0;
  *shift = (one->low == low ? one->first : one->second) -
           (other->low == low ? other->first : other->second);
  fold_residuals ours = fold_trimmed(one, low, high), theirs = fold_trimmed(other, low, high);
  fold_shift(&theirs, *shift);
  if (!fold_same_sums(&ours, &theirs)) return 0;
  int partial = low != one->low || high != one->high ? axis : one->partial;
  *one = *other;
  fold_shift(one, *shift);
  one->partial = partial;
  return 1;
}
