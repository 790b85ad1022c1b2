#include <microhttpd.h>

// Swift cannot call a function of C with `...`; this is the one call that needs it.

/// Serves a listening socket, which is the daemon's from then on, a thread for each connection.
static inline struct MHD_Daemon *roost_mhd_start(
    int listening, unsigned int connections, unsigned int idle_seconds, size_t connection_bytes,
    size_t stack_bytes, MHD_AccessHandlerCallback handler, void *context) {
  unsigned int flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
                       MHD_USE_POLL | MHD_USE_ITC;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, listening,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes,
      MHD_OPTION_THREAD_STACK_SIZE, stack_bytes,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}
