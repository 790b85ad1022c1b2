#define _GNU_SOURCE
#include "CLinux.h"
#include <sys/syscall.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

int clinux_accept4(int listener, int flags) { return accept4(listener, 0, 0, flags); }
long clinux_gettid(void) { return syscall(SYS_gettid); }
void clinux_set_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }
int clinux_ppoll(struct pollfd *polls, unsigned long count, long seconds, long nanoseconds) {
  struct timespec wait = {seconds, nanoseconds};
  return ppoll(polls, count, &wait, 0);
}

// One for each signal; written before the handler is in place, so the handler only reads.
static volatile int signal_descriptors[65];

static void add_one(int signal) {
  int saved = errno;
  uint64_t one = 1;
  ssize_t written = write(signal_descriptors[signal], &one, sizeof one);
  (void)written;
  errno = saved;
}

int clinux_signal_to_eventfd(int signal, int descriptor) {
  if (signal < 1 || signal > 64) {
    errno = EINVAL;
    return -1;
  }
  signal_descriptors[signal] = descriptor;
  struct sigaction action = {0};
  action.sa_handler = add_one;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  if (sigaction(signal, &action, 0) != 0) return -1;
  // Whoever holds the signal back on this thread did so until somebody was ready for it.
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  return pthread_sigmask(SIG_UNBLOCK, &mask, 0);
}
