/* Shadow memory: who wrote each unit of 1, 2, 4 or 8 bytes last. Pages come on first use. */

enum { PAGE = 4096, NEAR = 512 };
typedef struct { uintptr_t page; pn_ref *cells; } pn_page;

static int pn_shift;                 /* a unit has 1 << pn_shift bytes */
static pn_page *pn_pages;            /* open addressing; a page number is stored plus one */
static size_t pn_page_room, pn_page_count;
static pn_page pn_near[NEAR];        /* those used last */

static size_t pn_slot(pn_page *table, size_t room, uintptr_t page) {
  size_t k = (size_t) (page * 0x9E3779B97F4A7C15ull >> 20) & (room - 1);
  while (table[k].page && table[k].page != page + 1) k = (k + 1) & (room - 1);
  return k;
}

static void pn_grow_pages(void) {
  size_t room = pn_page_room ? 2 * pn_page_room : 1024;
  pn_page *table = pn_zeroed(room, sizeof *table);
  for (size_t k = 0; k < pn_page_room; k++)
    if (pn_pages[k].page) table[pn_slot(table, room, pn_pages[k].page - 1)] = pn_pages[k];
  free(pn_pages);
  pn_pages = table;
  pn_page_room = room;
}

/* The cells of a page; NULL where there are none and none are `wanted`. */
static pn_ref *pn_cells(uintptr_t page, int wanted) {
  pn_page *near = &pn_near[page & (NEAR - 1)];
  if (near->page == page + 1) return near->cells;
  if (!pn_page_room) {
    if (!wanted) return NULL;
    pn_grow_pages();
  }
  size_t k = pn_slot(pn_pages, pn_page_room, page);
  if (!pn_pages[k].page) {
    if (!wanted) return NULL;
    if (2 * ++pn_page_count > pn_page_room) {
      pn_grow_pages();
      k = pn_slot(pn_pages, pn_page_room, page);
    }
    pn_pages[k].cells = pn_zeroed(PAGE >> pn_shift, sizeof(pn_ref));
    pn_pages[k].page = page + 1;
  }
  *near = pn_pages[k];
  return near->cells;
}

/* The loops around a writer of which another iteration had written the same place before. */
static inline uint32_t pn_overwrites(const pn_ref *old, int dims) {
  uint32_t found = 0;
  if (!old->w) return 0;
  for (int q = 0; q < dims && q < 32 && old->time >= pn_begun[q]; q++) {
    if (old->time < pn_turned[q]) return found | 1u << q;
    found |= old->over & 1u << q;
  }
  return found;
}

/* Set who wrote a range last; `by` is NULL for nobody who is recorded. */
static void pn_write_range(uintptr_t at, size_t size, const pn_ref *by) {
  uintptr_t unit = at >> pn_shift, last = (at + size - 1) >> pn_shift;
  int per = 12 - pn_shift, dims = by ? pn_by_id[by->w]->sink.dims : 0;
  while (size && unit <= last) {
    uintptr_t page = unit >> per, end = ((page + 1) << per) - 1;
    if (end > last) end = last;
    pn_ref *cells = pn_cells(page, by != NULL);
    if (cells && by)
      for (uintptr_t u = unit; u <= end; u++) {
        pn_ref *c = &cells[u & ((1u << per) - 1)];
        uint32_t over = by->over | pn_overwrites(c, dims);
        *c = *by;
        c->over = over;
      }
    else if (cells)
      for (uintptr_t u = unit; u <= end; u++) cells[u & ((1u << per) - 1)].w = 0;
    unit = end + 1;
  }
}

/* Who wrote a unit last. */
static const pn_ref *pn_writer(uintptr_t unit) {
  int per = 12 - pn_shift;
  pn_ref *cells = pn_cells(unit >> per, 0);
  return cells ? &cells[unit & ((1u << per) - 1)] : NULL;
}
