const REFUSED = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
// PostgreSQL shuts down, ended after a crash, or starts (class 57 of its codes); the connection broke.
const CUT_OFF = ['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE']

/** Whether an error of the driver says that the database is away: it stopped, restarts, recovers, or cannot be reached. Over by itself. */
export function isOutage(error: unknown): boolean {
  const { code = '', message = '', syscall } = (error ?? {}) as { code?: string; message?: string; syscall?: string }
  if (syscall === 'connect' && REFUSED.includes(code)) return true
  // pg has no codes for these.
  return CUT_OFF.includes(code) || /^Connection terminated|^Client has encountered a connection error/.test(message)
}

/** Whether an error of the driver or of a file says that the disk is full. Over as soon as there is room. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string }
  return code === '53100' || code === 'ENOSPC'
}
