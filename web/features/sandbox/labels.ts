/** The parts of a sender such as `"Ada Lovelace" <ada@example.com>`; without a name the address stands for it. */
export function parseFrom(from: string): { name: string; address: string } {
  const found = /^\s*"?(.*?)"?\s*<([^<>]*)>\s*$/.exec(from)
  const address = found?.[2] ?? from
  return { name: found?.[1]?.replaceAll('\\"', '"') || address || 'unknown', address }
}

/** What a header does for the reader, where it is worth a word. */
export function headerNote(name: string): string | undefined {
  const key = name.toLowerCase()
  if (key === 'list-unsubscribe') return 'Unsubscribe button of email apps'
  if (key === 'list-unsubscribe-post') return 'One-click unsubscribe (RFC 8058)'
  return undefined
}
