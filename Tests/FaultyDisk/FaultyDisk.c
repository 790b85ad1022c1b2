#include "FaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

enum { RULES_MAX = 64, PATH_BYTES_MAX = 512 };

typedef struct {
  char path_end[PATH_BYTES_MAX];
  int is_used, operations, effect, after, times, hits;
  /// No two rules have the same, though they may have the same place.
  unsigned serial;
} Rule;

/// The real file follows in the same block.
typedef struct {
  sqlite3_file base;
  const char *path;
} FaultyFile;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// Somebody began to hang, or a rule was removed.
static pthread_cond_t has_changed = PTHREAD_COND_INITIALIZER;
static unsigned last_serial;
static Rule rules[RULES_MAX];
static sqlite3_vfs *real_vfs;
static sqlite3_vfs faulty_vfs;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((FaultyFile *)file + 1); }

static int ends(const char *path, const char *end) {
  size_t count = strlen(path), end_count = strlen(end);
  return count >= end_count && strcmp(path + count - end_count, end) == 0;
}

/// The effect on this operation, or -1 if it is to pass.
static int fault(sqlite3_file *file, int operation) {
  const char *path = ((FaultyFile *)file)->path;
  int effect = -1;
  if (path == NULL) return effect;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < RULES_MAX && effect < 0; index += 1) {
    Rule *rule = &rules[index];
    if (!rule->is_used || !(rule->operations & operation) || !ends(path, rule->path_end)) continue;
    if (rule->after > 0) {
      rule->after -= 1;
    } else if (rule->times > 0) {
      rule->times -= 1;
      rule->hits += 1;
      effect = rule->effect;
      if (effect == FAULTY_DISK_HANGS) {
        pthread_cond_broadcast(&has_changed);
        unsigned serial = rule->serial;
        while (rule->is_used && rule->serial == serial) pthread_cond_wait(&has_changed, &lock);
        effect = -1;
        break;
      }
    }
  }
  pthread_mutex_unlock(&lock);
  return effect;
}

static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  switch (fault(file, FAULTY_DISK_WRITE)) {
  case FAULTY_DISK_FAILS: return SQLITE_IOERR_WRITE;
  case FAULTY_DISK_IS_FULL: return SQLITE_FULL;
  case FAULTY_DISK_TEARS:
    real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    return SQLITE_IOERR_WRITE;
  default: return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
  }
}

static int faulty_sync(sqlite3_file *file, int flags) {
  switch (fault(file, FAULTY_DISK_SYNC)) {
  case FAULTY_DISK_FAILS:
  case FAULTY_DISK_TEARS: return SQLITE_IOERR_FSYNC;
  case FAULTY_DISK_IS_FULL: return SQLITE_FULL;
  default: return real(file)->pMethods->xSync(real(file), flags);
  }
}

static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (fault(file, FAULTY_DISK_READ) >= 0) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

// The rest goes through as it is.

static int faulty_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int faulty_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int faulty_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int faulty_reserved(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int faulty_sector(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int faulty_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int faulty_shm_map(
    sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), region, size, extend, memory);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void faulty_shm_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int faulty_shm_unmap(sqlite3_file *file, int delete_it) {
  return real(file)->pMethods->xShmUnmap(real(file), delete_it);
}

// Version 2: with shared memory, which WAL needs, without mapped pages, which the store never has.
static const sqlite3_io_methods methods = {
    2, faulty_close, faulty_read, faulty_write, faulty_truncate, faulty_sync, faulty_size,
    faulty_lock, faulty_unlock, faulty_reserved, faulty_control, faulty_sector,
    faulty_characteristics, faulty_shm_map, faulty_shm_lock, faulty_shm_barrier, faulty_shm_unmap,
    NULL, NULL,
};

static int faulty_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  // The path outlives the file: SQLite promises it.
  ((FaultyFile *)file)->path = path;
  int result = real_vfs->xOpen(real_vfs, path, real(file), flags, out_flags);
  file->pMethods = real(file)->pMethods != NULL ? &methods : NULL;
  return result;
}

int faulty_disk_install(void) {
  if (real_vfs != NULL) return 0;
  real_vfs = sqlite3_vfs_find(NULL);
  if (real_vfs == NULL) return 1;
  faulty_vfs = *real_vfs;
  faulty_vfs.zName = "faulty-disk";
  faulty_vfs.szOsFile = (int)sizeof(FaultyFile) + real_vfs->szOsFile;
  faulty_vfs.xOpen = faulty_open;
  return sqlite3_vfs_register(&faulty_vfs, 1);
}

int faulty_disk_add(const char *path_end, int operations, int effect, int after, int times) {
  if (strlen(path_end) >= PATH_BYTES_MAX) return -1;
  pthread_mutex_lock(&lock);
  int number = 0;
  while (number < RULES_MAX && rules[number].is_used) number += 1;
  if (number < RULES_MAX) {
    Rule *rule = &rules[number];
    *rule = (Rule){.is_used = 1, .operations = operations, .effect = effect, .after = after,
                   .times = times, .serial = ++last_serial};
    strcpy(rule->path_end, path_end);
  }
  pthread_mutex_unlock(&lock);
  return number < RULES_MAX ? number : -1;
}

void faulty_disk_await(int rule) {
  if (rule < 0 || rule >= RULES_MAX) return;
  pthread_mutex_lock(&lock);
  while (rules[rule].hits == 0) pthread_cond_wait(&has_changed, &lock);
  pthread_mutex_unlock(&lock);
}

int faulty_disk_remove(int rule) {
  if (rule < 0 || rule >= RULES_MAX) return 0;
  pthread_mutex_lock(&lock);
  int hits = rules[rule].hits;
  rules[rule].is_used = 0;
  pthread_cond_broadcast(&has_changed);
  pthread_mutex_unlock(&lock);
  return hits;
}
