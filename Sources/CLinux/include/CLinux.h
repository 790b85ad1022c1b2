#ifndef CLINUX_H
#define CLINUX_H
// What Swift's Glibc module lacks: epoll, eventfd, accept4, and the main queue's handle.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <netinet/tcp.h>

int clinux_accept4(int listener, int flags);
long clinux_gettid(void);
void clinux_set_thread_name(const char *name);

// The pair CoreFoundation's run loop uses to run the main queue: an eventfd, and its drain.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
#endif
