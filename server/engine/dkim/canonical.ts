/** Relaxed canonicalization (RFC 6376, 3.4.2 and 3.4.4), on Latin-1 text that stands for bytes. */

/** A header field by its name in lower case, with its value unfolded and its white space reduced. */
export interface HeaderField {
  name: string
  canonical: string
}

const reduce = (value: string) =>
  value
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .trim()

/** One field as it is hashed, without its final CRLF. */
export const canonicalField = (name: string, value: string): string => `${name.toLowerCase()}:${reduce(value)}`

/** The fields of a header, which ends before its empty line, in their order. */
export function readFields(head: string): HeaderField[] {
  return head.split(/\r\n(?![ \t])/).flatMap((field) => {
    const at = field.indexOf(':')
    if (at < 1) return []
    const name = field.slice(0, at).trim()
    return [{ name: name.toLowerCase(), canonical: canonicalField(name, field.slice(at + 1)) }]
  })
}

/** A body as it is hashed. The usual one, with nothing to reduce, is not copied. */
export function canonicalBody(body: Buffer): Buffer {
  const reduced =
    body.includes('\t') || body.includes('  ') || body.includes(' \r\n')
      ? Buffer.from(
          body
            .toString('latin1')
            .replace(/[ \t]+/g, ' ')
            .replaceAll(' \r\n', '\r\n')
            .replace(/ $/, ''),
          'latin1',
        )
      : body
  let end = reduced.length
  const isBreak = (at: number) => reduced[at - 2] === 0x0d && reduced[at - 1] === 0x0a
  while (end >= 4 && isBreak(end) && isBreak(end - 2)) end -= 2
  if (end === 2 && isBreak(end)) return Buffer.alloc(0)
  if (end === 0 || isBreak(end)) return reduced.subarray(0, end)
  return Buffer.concat([reduced.subarray(0, end), Buffer.from('\r\n')])
}
