/** Whether this machine knows the time zone by its IANA name, such as Europe/Berlin. An offset such as +05:00 is none: PostgreSQL reads it the other way round. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
