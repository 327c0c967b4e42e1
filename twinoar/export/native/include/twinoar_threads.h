/* Threads that run parts of kernels: what NAME_run_threads is given. Compile with -pthread.

     twinoar_pool *pool = twinoar_pool_create(4);
     NAME_run_threads(model, inputs, outputs, workspace, bytes, twinoar_pool_run, pool);
     twinoar_pool_destroy(pool);

   The thread that calls runs parts too; the others sleep between runs. A pool serves one run at a
   time. */
#ifndef TWINOAR_THREADS_H
#define TWINOAR_THREADS_H

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define TWINOAR_SPINS 4000 /* looks at a flag, some microseconds, before a thread goes to sleep */

typedef struct twinoar_pool {
  pthread_mutex_t lock;
  pthread_cond_t begun, ended;
  pthread_t *threads;
  int count;                /* of threads besides the caller's */
  unsigned long generation; /* of what is run: it counts up; 0 is none */
  int working, stops;
  void (*function)(void *, size_t);
  void *argument;
  size_t parts, next;
} twinoar_pool;

static inline void twinoar_pool_work(twinoar_pool *pool, void (*function)(void *, size_t),
                                     void *argument, size_t parts) {
  size_t part;
  while ((part = __atomic_fetch_add(&pool->next, 1, __ATOMIC_ACQ_REL)) < parts)
    function(argument, part);
}

static inline void *twinoar_pool_thread(void *given) {
  twinoar_pool *pool = (twinoar_pool *)given;
  unsigned long seen = 0;
  for (;;) {
    void (*function)(void *, size_t);
    void *argument;
    size_t parts;
    int n;
    for (n = 0; n < TWINOAR_SPINS; ++n)
      if (__atomic_load_n(&pool->generation, __ATOMIC_ACQUIRE) != seen) break;
    pthread_mutex_lock(&pool->lock);
    while (pool->generation == seen && !pool->stops) pthread_cond_wait(&pool->begun, &pool->lock);
    seen = pool->generation;
    function = pool->function, argument = pool->argument, parts = pool->parts;
    n = pool->stops;
    pthread_mutex_unlock(&pool->lock);
    if (n) return NULL;
    twinoar_pool_work(pool, function, argument, parts);
    pthread_mutex_lock(&pool->lock);
    if (--pool->working == 0) pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
  }
}

static inline void twinoar_pool_destroy(twinoar_pool *pool) {
  int n;
  if (pool == NULL) return;
  pthread_mutex_lock(&pool->lock);
  pool->stops = 1;
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->lock);
  for (n = 0; n < pool->count; ++n) pthread_join(pool->threads[n], NULL);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->begun);
  pthread_cond_destroy(&pool->ended);
  free(pool->threads);
  free(pool);
}

/* A pool in which so many threads run, with the one that calls; null where there is no memory. It
   has fewer where the system gives no more. */
static inline twinoar_pool *twinoar_pool_create(int threads) {
  twinoar_pool *pool = (twinoar_pool *)calloc(1, sizeof *pool);
  int others = threads > 1 ? threads - 1 : 0;
  if (pool == NULL) return NULL;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->begun, NULL);
  pthread_cond_init(&pool->ended, NULL);
  pool->threads = (pthread_t *)calloc((size_t)others + 1, sizeof *pool->threads);
  while (pool->threads && pool->count < others &&
         pthread_create(&pool->threads[pool->count], NULL, twinoar_pool_thread, pool) == 0)
    ++pool->count;
  return pool;
}

/* Runs function(argument, part) for each part below `parts`; given: a pool. */
static inline void twinoar_pool_run(void *given, void (*function)(void *argument, size_t part),
                                    void *argument, size_t parts) {
  twinoar_pool *pool = (twinoar_pool *)given;
  pthread_mutex_lock(&pool->lock);
  pool->function = function, pool->argument = argument, pool->parts = parts;
  pool->working = pool->count;
  __atomic_store_n(&pool->next, 0, __ATOMIC_RELEASE);
  __atomic_add_fetch(&pool->generation, 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->lock);
  twinoar_pool_work(pool, function, argument, parts);
  pthread_mutex_lock(&pool->lock);
  while (pool->working > 0) pthread_cond_wait(&pool->ended, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

#endif
