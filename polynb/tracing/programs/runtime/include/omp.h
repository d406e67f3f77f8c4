/* For compilers without an OpenMP of their own: what ../openmp.c defines. */
#ifndef POLYNB_OMP_H
#define POLYNB_OMP_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
    int taken;
} omp_lock_t;
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_get_dynamic(void);
int omp_get_nested(void);
int omp_get_level(void);
int omp_get_num_devices(void);
int omp_is_initial_device(void);
void omp_set_num_threads(int);
void omp_set_dynamic(int);
void omp_set_nested(int);
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
double omp_get_wtick(void);
double omp_get_wtime(void);
#ifdef __cplusplus
}
#endif
#endif
