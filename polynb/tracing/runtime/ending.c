/* -- how it ends ------------------------------------------------------------------------- */

static struct timespec pn_started;
static int pn_abrupt;
static struct stat pn_file; /* where it is written to */
static int pn_fd_there;     /* its number in the process that waits */

/* The program may have closed what is written to, or opened something else in its place: then it is
   opened again, as the process that waits for it has it. */
static int pn_target(void) {
  struct stat now;
  char path[64];
  if (!fstat(pn_fd, &now) && now.st_dev == pn_file.st_dev && now.st_ino == pn_file.st_ino)
    return pn_fd;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int) getppid(), pn_fd_there);
  int again = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (again < 0) _exit(6);
  if (fstat(again, &now) || now.st_dev != pn_file.st_dev || now.st_ino != pn_file.st_ino) _exit(6);
  pn_file = now;
  return pn_fd = again;
}

static void pn_send(const char *from, size_t left) {
  int target = pn_target();
  while (left) {
    ssize_t n = write(target, from, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(3);
    from += n;
    left -= (size_t) n;
  }
}

/* The box of a stream as the engine writes pieces: nothing is claimed about labels. */
static void pn_put_box(pn_sink *k) {
  int64_t stats[6], numbers = 4 + 2 * k->dims + k->outputs * (1 + 2 * k->dims);
  fold_stats(k->fold, stats);
  stats[0] = k->entries - stats[4];
  stats[3] = 1;
  stats[5] = numbers;
  pn_put_many(stats, 6);
  pn_put_many((int64_t[]){numbers, 1, k->box->points, 0}, 4);
  pn_put_many(k->box->low, k->dims);
  pn_put_many(k->box->high, k->dims);
  for (int j = 0; j < k->outputs; j++) {
    pn_put(0);
    for (int q = 0; q < k->dims; q++) pn_put(2), pn_put(0);
  }
}

static void pn_put_sink(pn_sink *k) {
  fold_finish(k->fold);
  if (k->box) pn_cover(k);
  else if (pn_give_up) pn_look(k);
  pn_put(k->dims);
  pn_put(k->outputs);
  if (k->box) pn_put_box(k);
  else pn_put_fold(k->fold);
  pn_put(k->kept);
  pn_put_many(k->raw, k->words);
  fold_free(k->fold);
  k->fold = NULL;
}

static void pn_put_streams(void) {
  for (size_t id = 1; id < pn_stream_count; id++) {
    pn_stream *s = pn_by_id[id];
    if (!s->sink.fold) continue;
    pn_put(1);
    pn_put((int64_t) id);
    pn_put(s->context->number);
    pn_put(s->instruction);
    pn_put((int64_t) s->most);
    pn_put((int64_t) s->low);
    pn_put((int64_t) s->high);
    pn_put(s->over);
    pn_put_sink(&s->sink);
  }
  for (size_t id = 1; id < pn_stream_count; id++)
    for (pn_dep *d = pn_by_id[id]->deps; d; d = d->next) {
      pn_put(2);
      pn_put(d->source);
      pn_put((int64_t) id);
      pn_put(d->slot);
      pn_put(d->over);
      pn_put(d->early);
      pn_put(d->crossed);
      pn_put_sink(&d->sink);
    }
  pn_put(0);
}

/* Writes all that was found, and ends the process. Whatever goes wrong here ends it, too. */
static void pn_finish(int how, int detail) {
  struct timespec now;
  if (pn_ending) _exit(4);
  pn_ending = 1;
  pn_busy = 0;
  free(pn_reserve);
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t nanoseconds = (now.tv_sec - pn_started.tv_sec) * 1000000000ll +
                        (now.tv_nsec - pn_started.tv_nsec);
  int64_t head[] = {how, detail, pn_last, pn_events, nanoseconds, (int64_t) pn_context_count,
                    (int64_t) pn_block_count};
  pn_put_many(head, sizeof head / sizeof *head);
  pn_flush(); /* says that it ends: the rest may take its time */
  for (size_t q = 0; q < pn_context_count; q++) {
    pn_context *c = pn_contexts[q];
    int64_t row[] = {c->number, c->parent->number, c->site, c->component, c->base, c->recursive};
    pn_put_many(row, sizeof row / sizeof *row);
  }
  for (size_t q = 0; q < pn_block_count; q++) {
    pn_put(pn_blocks[q].block);
    pn_put((int64_t) pn_blocks[q].at);
    pn_put((int64_t) pn_blocks[q].size);
  }
  pn_put_streams();
  pn_flush();
  if (how != SIGNAL && !pn_abrupt) fflush(NULL);
  _exit(0);
}

/* The last of what `exit` calls, whoever called it: the program's own functions come before. */
static void pn_at_exit(int status, void *unused) {
  (void) unused;
  pn_finish(pn_late ? TIME : EXITED, status);
}

/* `_exit` calls nothing, and leaves what was not written yet. */
void pn_leave_at_once(int status) {
  pn_abrupt = 1;
  pn_at_exit(status, NULL);
  _exit(0);
}

void pn_halt(void) {
  pn_finish(pn_late ? TIME : pn_clock >= PN_LAST ? ITERATIONS : EVENTS, 0);
}

/* The first lets the next iteration stop; if none comes, a later one stops by itself. */
static void pn_time_is_up(int number) {
  (void) number;
  pn_most = 0;
  if (++pn_late > 2 && !pn_busy) pn_finish(TIME, 0);
}

static void pn_crash(int number) {
  if (pn_busy) _exit(5); /* in the engine: what it has cannot be trusted */
  pn_finish(SIGNAL, number);
}

/* SIGKILL cannot be caught, but who sends it to itself says so. */
int pn_kill(int process, int number) {
  if (number == SIGKILL && (process == getpid() || !process)) pn_finish(SIGNAL, number);
  return kill(process, number);
}

int pn_raise(int number) {
  return pn_kill(getpid(), number);
}

/* All signals that end a program; and one of our own, at the time limit and from then on: SIGALRM
   and its timer are the program's. */
static void pn_handle(int64_t microseconds) {
  static char stack[1 << 20];
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTERM,
                              SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF,
                              SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
  struct sigaction act = {.sa_flags = SA_ONSTACK | SA_NODEFER};
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&own, NULL);
  act.sa_handler = pn_crash;
  for (size_t q = 0; q < sizeof fatal / sizeof *fatal; q++) sigaction(fatal[q], &act, NULL);
  if (!microseconds) return;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX - 1};
  struct itimerspec at = {{0, 250000000}, {microseconds / 1000000, microseconds % 1000000 * 1000}};
  int timer; /* as the kernel counts them; by its calls, as older systems have them in librt */
  act.sa_handler = pn_time_is_up;
  act.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGRTMAX - 1, &act, NULL);
  if (!syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer))
    syscall(SYS_timer_settime, timer, 0, &at, NULL);
}

/* Runs a program to its end: options are fd, microseconds (0: no limit), events (0: no limit),
   shift of a unit, whether to record from the start, widen, give up, slope, entries kept raw. */
__attribute__((visibility("default"))) void pn_run(
    int (*entry)(int, char **), const int64_t *options, int argc, char **argv) {
  pn_fd = pn_fd_there = (int) options[0];
  fstat(pn_fd, &pn_file);
  pn_put(0), pn_flush(); /* says that it begins */
  pn_event_limit = options[2] ? options[2] : INT64_MAX;
  pn_shift = (int) options[3];
  pn_on = (int) options[4];
  pn_widen = (int) options[5];
  pn_give_up = (int) options[6];
  pn_slope = (int) options[7];
  pn_keep_limit = options[8];
  pn_keep = pn_keep_limit > 0;
  pn_most = pn_event_limit;
  pn_reserve = malloc(32 << 20);
  struct rlimit stack;
  size_t room = 8 << 20;
  if (!getrlimit(RLIMIT_STACK, &stack) && stack.rlim_cur < (1 << 30)) room = stack.rlim_cur;
  pn_stack_end = (char *) __builtin_frame_address(0) - (room - (512 << 10));
  pn_files[0] = stdin, pn_files[1] = stdout, pn_files[2] = stderr;
  clock_gettime(CLOCK_MONOTONIC, &pn_started);
  pn_handle(options[1]);
  on_exit(pn_at_exit, NULL);
  exit(entry(argc, argv));
}
