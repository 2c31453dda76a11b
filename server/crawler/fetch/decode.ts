import iconv from 'iconv-lite'

/** As UTF-8 when it is. A page cut at its limit may end in the middle of a character. */
function strictUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

const byMark = (bytes: Buffer): string | undefined =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    ? 'utf-8'
    : bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined

const byHeader = (contentType: string) => /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1]

const byMeta = (bytes: Buffer) =>
  /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]+)/i.exec(bytes.toString('latin1', 0, 2_048))?.[1] ??
  /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w:.-]+)/i.exec(bytes.toString('latin1', 0, 200))?.[1]

/**
 * The text of a page: by its byte order mark, the header, its meta element, in this order; what it says is believed only
 * as far as the bytes allow it (UTF-8 that is none is Windows-1252, and the other way round).
 */
export function decodePage(bytes: Buffer, contentType: string): string {
  const mark = byMark(bytes)
  if (mark) return iconv.decode(bytes, mark)
  const said = (byHeader(contentType) ?? byMeta(bytes) ?? '').toLowerCase()
  // Mark-up in two or four bytes a character has noughts in it.
  const isWide = /^(utf-?(?:16|32)|ucs-?[24])/.test(said) && !bytes.subarray(0, 500).includes(0)
  const isSingle =
    isWide || said === '' || /^(utf-?8|us-ascii|ascii|iso-?8859-?1|latin-?1|windows-?1252|cp1252)$/.test(said)
  if (isSingle || !iconv.encodingExists(said)) return strictUtf8(bytes) ?? iconv.decode(bytes, 'windows-1252')
  return iconv.decode(bytes, said)
}
