/** The header fields of a message by lower-case name, unfolded; of repeated ones the first. */
export function parseHeaders(raw: Buffer): Map<string, string> {
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.subarray(0, end < 0 ? raw.length : end).toString()
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

/** The addresses of a To, Cc or Bcc field. */
export function addressesIn(field: string): string[] {
  return [...field.matchAll(/[^\s<>",;:]+@[^\s<>",;:]+/g)].map(([address]) => address)
}
