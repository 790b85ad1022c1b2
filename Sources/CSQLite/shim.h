#include <sqlite3.h>

// `sqlite3_config` takes arguments of any number, which Swift cannot call.
static inline int csqlite_keep_no_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
