#include "CObservation.h"

#include <pthread.h>
#include <stdatomic.h>

static _Thread_local bool mark;
static _Thread_local void *spare;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;
static _Atomic(void (*)(void *)) release_spare;

void cobservation_mark(void) { mark = true; }

bool cobservation_take_mark(void) {
  bool was = mark;
  if (was) mark = false;
  return was;
}

void *cobservation_spare(void) { return spare; }

static void end_thread(void *held) {
  spare = 0;
  atomic_load(&release_spare)(held);
}

// Without a key the last spare of a thread outlives it; nothing else depends on it.
static void make_key(void) { has_key = pthread_key_create(&key, end_thread) == 0; }

void cobservation_set_spare(void *made, void (*release)(void *)) {
  atomic_store(&release_spare, release);
  pthread_once(&once, make_key);
  spare = made;
  if (has_key) pthread_setspecific(key, made);
}
