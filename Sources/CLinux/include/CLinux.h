#ifndef CLINUX_H
#define CLINUX_H
// What Swift's Glibc module lacks: epoll, eventfd, accept4, ppoll, and the main queue's handle.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <netinet/tcp.h>
#include <poll.h>

int clinux_accept4(int listener, int flags);
long clinux_gettid(void);
int clinux_ppoll(struct pollfd *polls, unsigned long count, long seconds, long nanoseconds);
void clinux_set_thread_name(const char *name);
// Makes a signal, whichever thread gets it, add one to an eventfd instead of ending the process.
int clinux_signal_to_eventfd(int signal, int descriptor);

// The pair CoreFoundation's run loop uses to run the main queue: an eventfd, and its drain.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
#endif
