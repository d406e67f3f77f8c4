/* OpenMP of one thread: pragmas are ignored (-fno-openmp), and these are what programs ask for. */
typedef struct {
    int taken;
} omp_lock;

HOOK int omp_get_thread_num(void) { return 0; }
HOOK int omp_get_num_threads(void) { return 1; }
HOOK int omp_get_max_threads(void) { return 1; }
HOOK int omp_get_num_procs(void) { return 1; }
HOOK int omp_in_parallel(void) { return 0; }
HOOK int omp_get_dynamic(void) { return 0; }
HOOK int omp_get_nested(void) { return 0; }
HOOK int omp_get_level(void) { return 0; }
HOOK int omp_get_num_devices(void) { return 0; }
HOOK int omp_is_initial_device(void) { return 1; }
HOOK void omp_set_num_threads(int n) { (void)n; }
HOOK void omp_set_dynamic(int on) { (void)on; }
HOOK void omp_set_nested(int on) { (void)on; }
HOOK void omp_init_lock(omp_lock *lock) { lock->taken = 0; }
HOOK void omp_destroy_lock(omp_lock *lock) { (void)lock; }
HOOK void omp_set_lock(omp_lock *lock) { lock->taken = 1; }
HOOK void omp_unset_lock(omp_lock *lock) { lock->taken = 0; }
HOOK int omp_test_lock(omp_lock *lock) { return lock->taken ? 0 : (lock->taken = 1); }
HOOK double omp_get_wtick(void) { return 1e-9; }
HOOK double omp_get_wtime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}
