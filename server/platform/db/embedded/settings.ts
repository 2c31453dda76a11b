/**
 * How the embedded PostgreSQL is set up: for a small server, beside the product itself. They are given on the command
 * line, so they hold for data folders of older versions too. The figures are in docs/decisions/0004-embedded-database.md.
 */

/** The pools: 8 of the main thread, 6 of each of two sending threads, 3 of the collecting one, 1 for each of two imports; some to spare for a thread that starts anew and an operator. */
const CONNECTIONS = 32

export const SETTINGS: Record<string, string> = {
  // Nothing but the socket in a folder of mode 0700 leads to it.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: String(CONNECTIONS),
  superuser_reserved_connections: '0',
  // The operating system caches the files as well: 32, 48 and 128 MB brought a campaign forward alike.
  shared_buffers: '48MB',
  // Statements here are short: compiling them costs more than it saves.
  jit: 'off',
  // A second core is the sending thread's, and /dev/shm of a container (64 MB) is too small for parallel plans.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // Reads come from the cache: reading ahead in processes of its own costs memory and brings nothing.
  io_method: 'sync',
  // Whole pages are most of the log after a checkpoint, and compress well.
  wal_compression: 'on',
  // Bounds what a full disk and a recovery have to do with, and leaves checkpoints minutes apart in a campaign.
  max_wal_size: '512MB',
  min_wal_size: '32MB',
  // Nothing replicates it.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Statements that fail are told to the client that ran them. %b says which kind of process speaks (see postmaster.ts).
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_line_prefix: '%b|',
}

/** Settings that PostgreSQL has only from a major version on. */
export const SINCE: Record<string, number> = { io_method: 18 }

/** Where a power cut costs nothing: tests and the types of the schema. Many processes and databases, which come and go. */
export const THROWAWAY: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}
