#define _GNU_SOURCE
#include "CLinux.h"
#include <sys/syscall.h>
#include <pthread.h>
#include <unistd.h>

int clinux_accept4(int listener, int flags) { return accept4(listener, 0, 0, flags); }
long clinux_gettid(void) { return syscall(SYS_gettid); }
void clinux_set_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }
int clinux_ppoll(struct pollfd *polls, unsigned long count, long seconds, long nanoseconds) {
  struct timespec wait = {seconds, nanoseconds};
  return ppoll(polls, count, &wait, 0);
}
