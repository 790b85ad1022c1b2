/// A disk that fails when a test says so: SQLite's own file layer with faults put in between.
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

/// What is done to a file; rules name several by adding them.
enum {
  FAULTY_DISK_WRITE = 1,
  FAULTY_DISK_SYNC = 2,
  FAULTY_DISK_READ = 4,
};

/// What becomes of it.
enum {
  /// An I/O error; nothing is done.
  FAULTY_DISK_FAILS = 0,
  /// An I/O error after half of the bytes; a sync as above.
  FAULTY_DISK_TEARS = 1,
  /// The disk is full; nothing is done.
  FAULTY_DISK_IS_FULL = 2,
  /// It waits until the rule is removed, then passes.
  FAULTY_DISK_HANGS = 3,
};

/// Puts the layer below every database that is opened from now on; 0 if SQLite took it.
int faulty_disk_install(void);

/// Of the operations on files whose path ends so, lets `after` pass and has the next `times` fail
/// or hang.
///
/// Gives the rule's number, or -1 when there are too many or the path is too long.
int faulty_disk_add(const char *path_end, int operations, int effect, int after, int times);

/// Waits until an operation hangs by this rule.
void faulty_disk_await(int rule);

/// Takes a rule back; gives how many operations it made fail or hang.
int faulty_disk_remove(int rule);

#endif
