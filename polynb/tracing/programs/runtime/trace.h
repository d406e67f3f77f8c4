/* What the parts of the runtime share.

   The compiler's hooks (hooks.c) tell of function entries and exits, of basic blocks and of loads
   and stores. A program runs twice. The first run only learns the graph of blocks of each function
   (graph.c); Python finds its loops. The second run turns blocks into iteration vectors (loops.c),
   keeps the last writer of every byte (shadow.c) and gives each stream to the folding (streams.c).
   A program is traced in the thread that starts it; what others do is not seen.

   Places in the program's code are offsets from the start of its executable segment ("at"), so that
   both runs and the debug information agree wherever the program was loaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define HOOK __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HERE ((uintptr_t)__builtin_return_address(0))

/* System calls of our own: a program may have functions of these names. */
static inline ssize_t system_write(int file, const void *p, size_t n) {
    return syscall(SYS_write, file, p, n);
}
static inline ssize_t system_read(int file, void *p, size_t n) { return syscall(SYS_read, file, p, n); }
static inline int system_open(const char *path, int flags) {
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
}
static inline int system_close(int file) { return (int)syscall(SYS_close, file); }
static inline void leave(int code) {
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

enum { DIMENSIONS = 24, FRAMES = 1 << 20, CONTEXTS = 1 << 18, VARIANTS = 4, CALL_KEYS = 1 << 22 };
enum mode { OFF, GRAPH, FOLD };
/* Of an access: the program's (or what a call of the library does to its memory), of what the library
   keeps; or that a function was called of which nothing is known. */
enum role { MEMORY_ACCESS, STATE, UNKNOWN };
/* How a run ended: what results.c writes, and Python puts into words. */
enum ending { EXITED, TIME, EVENTS, MEMORY, SIGNALLED, ITERATIONS, TOO_DEEP, TOO_MANY, UNFORESEEN };

static enum mode mode;
static __thread int traced __attribute__((tls_model("initial-exec")));
static uintptr_t program_base, code_start;
static uint32_t code_size;
static int32_t *table; /* of each place: the number of its block, function or access; 0: not yet */
static int64_t countdown = 1 << 16; /* events until the limits are looked at again */

static struct {
    int64_t blocks, entries, outside, unforeseen, merged, rejected, lost;
} counts;

static inline uint32_t place(uintptr_t pc) { return (uint32_t)(pc - code_start); }

static void look_at_limits(void);
static void stop(enum ending how, int64_t detail);

static inline void tick(void) {
    if (UNLIKELY(--countdown < 0)) look_at_limits();
}
