#include "CObservation.h"

static _Thread_local bool mark;

void cobservation_mark(void) { mark = true; }

bool cobservation_take_mark(void) {
  bool was = mark;
  if (was) mark = false;
  return was;
}
