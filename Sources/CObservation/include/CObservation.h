#ifndef COBSERVATION_H
#define COBSERVATION_H
#include <stdbool.h>

// A mark of the calling thread; Swift has no thread-locals.
void cobservation_mark(void);
// Whether it was set since the last call, and unsets it.
bool cobservation_take_mark(void);

// What the calling thread keeps in reserve; null for nothing.
void *cobservation_spare(void);
// Keeps something else, or nothing; `release`, the same in every call, is called with what is
// kept when the thread ends.
void cobservation_set_spare(void *made, void (*release)(void *));
#endif
