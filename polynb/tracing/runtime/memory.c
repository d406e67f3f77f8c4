/* -- memory that has a name -------------------------------------------------------------- */

enum { MOST_BLOCKS = 1 << 20 };

static void pn_name(int block, const void *at, size_t size) {
  if (pn_block_count == MOST_BLOCKS || !at) return;
  if (pn_block_count == pn_block_room)
    pn_blocks = pn_larger(pn_blocks, &pn_block_room, sizeof *pn_blocks);
  pn_blocks[pn_block_count++] = (pn_block){block, (uintptr_t) at, size};
}

/* A variable that is no register: what is there now was written by nobody. */
void pn_local(int block, const void *at, size_t size, int lasting) {
  static uintptr_t known[1024]; /* the address each had last: most have it again */
  if (block >= 1024 || known[block] != (uintptr_t) at) {
    pn_name(block, at, size);
    if (block < 1024) known[block] = (uintptr_t) at;
  }
  if (!lasting && size) pn_write_range((uintptr_t) at, size, NULL);
}

void *pn_malloc(int block, size_t size) {
  void *p = malloc(size);
  pn_name(block, p, size);
  if (p && size) pn_write_range((uintptr_t) p, size, NULL);
  return p;
}

void *pn_calloc(int block, size_t count, size_t size) {
  void *p = calloc(count, size);
  size_t bytes = count * size;
  pn_name(block, p, bytes);
  if (p && bytes) pn_write_range((uintptr_t) p, bytes, NULL);
  return p;
}

/* What moves keeps its writers. */
void *pn_realloc(int block, void *at, size_t size) {
  size_t old = at ? malloc_usable_size(at) : 0;
  uintptr_t from = (uintptr_t) at;
  char *p = realloc(at, size);
  if (!p) return p;
  pn_name(block, p, size);
  size_t unit = (size_t) 1 << pn_shift, kept = old < size ? old : size;
  if ((uintptr_t) p != from)
    for (size_t k = 0; k < size; k += unit) {
      const pn_ref *r = k < kept ? pn_writer((from + k) >> pn_shift) : NULL;
      pn_ref by = r ? *r : (pn_ref){0};
      if (by.w) pn_write_range((uintptr_t) p + k, 1, &by);
      else pn_write_range((uintptr_t) p + k, 1, NULL);
    }
  return p;
}

void pn_free(int block, void *at) {
  (void) block;
  free(at);
}

/* Memory that the library gives. */
void pn_given(int block, const void *at, size_t size) {
  if (!at || !size) return;
  pn_name(block, at, size);
  pn_write_range((uintptr_t) at, size, NULL);
}

/* An array for a function's argument: floats from 0.5 to 1.5, integers from 0 to 99, doubles first
   (kind: size of a float, or minus the size of an integer). */
void *pn_array(int block, size_t count, size_t size, int kind) {
  uint64_t seed = 0x9E3779B97F4A7C15ull * (uint64_t) (block + 1);
  char *p = pn_calloc(block, count ? count : 1, size);
  if (!p) pn_finish(MEMORY, 0);
  for (size_t k = 0; k < count; k++) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    double x = 0.5 + (double) (seed >> 11) / 9007199254740992.0;
    int64_t n = (int64_t) (seed % 100);
    if (kind == 8) memcpy(p + 8 * k, &x, 8);
    else if (kind == 4) memcpy(p + 4 * k, &(float){(float) x}, 4);
    else if (kind < 0) memcpy(p + size * k, &n, (size_t) -kind);
  }
  return p;
}
