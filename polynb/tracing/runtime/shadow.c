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

/* The loops around a writer of which another iteration had written the same place before, in this
   execution of them, or, by the same instruction, in another one. */
static inline uint32_t pn_overwrites(const pn_ref *old, const pn_ref *by, int dims) {
  uint32_t found = 0, before = old->w == by->w ? old->over : 0;
  if (!old->w) return 0;
  for (int q = 0; q < dims && q < 32; q++) {
    if (old->time < pn_begun[q]) return found | (before & ~0u << q);
    if (old->time < pn_turned[q]) return found | 1u << q | (before & ~0u << q);
    found |= old->over & 1u << q;
  }
  return found;
}

/* Of each depth, the loops there that are over, in order, where several iterations had written one
   place: when they began, and when their last iterations did. Not of what calls itself. */
typedef struct { uint32_t begun, last; } pn_run_of;
static struct { pn_run_of *runs; size_t count, room; } pn_runs[32];
static uint32_t pn_recursive;

void pn_keep_run(int q) {
  pn_several &= ~(1u << q);
  if (pn_recursive >> q & 1) return;
  if (pn_runs[q].count == pn_runs[q].room)
    pn_runs[q].runs = pn_larger(pn_runs[q].runs, &pn_runs[q].room, sizeof *pn_runs[q].runs);
  pn_runs[q].runs[pn_runs[q].count++] = (pn_run_of) {pn_begun[q], pn_turned[q]};
}

/* Whether a value is of another iteration than the last one of a loop that is over. */
static int pn_lost(const pn_ref *r, int q) {
  if (pn_recursive >> q & 1) return 0;
  if (r->time >= pn_begun[q]) return r->time < pn_turned[q];
  size_t low = 0, high = pn_runs[q].count; /* the last that began before: below high */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (pn_runs[q].runs[middle].begun <= r->time) low = middle + 1;
    else high = middle;
  }
  return low && r->time < pn_runs[q].runs[low - 1].last;
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
        uint32_t over = by->over | pn_overwrites(c, by, dims);
        *c = *by;
        c->over = over;
        pn_several |= over;
        pn_by_id[by->w]->over |= over;
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
