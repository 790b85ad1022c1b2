#ifndef COBSERVATION_H
#define COBSERVATION_H
#include <stdbool.h>

// A mark of the calling thread; Swift has no thread-locals.
void cobservation_mark(void);
// Whether it was set since the last call, and unsets it.
bool cobservation_take_mark(void);
#endif
