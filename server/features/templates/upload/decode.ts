import iconv from 'iconv-lite'

/** A file whose bytes are not the text of a template; the message is a predicate for people ("is empty"). */
export class NotText extends Error {}

const BINARY = 'is not text: it contains binary data, such as an image, a document or an archive'
const WRONG = (label: string) => `says it is ${label}, but its bytes are something else. Save it again as UTF-8`

/** HTML and MJML say their encoding near the top, in plain ASCII whatever the encoding is: only there is it looked for. */
const TOP = 4096
const DECLARED = /<meta[^<>]+?charset\s*=\s*(?:["']\s*)?([\w.:-]+)|<\?xml[^<>]+?encoding\s*=\s*["']([\w.:-]+)["']/i

function declaredIn(bytes: Buffer): string | undefined {
  const match = DECLARED.exec(bytes.subarray(0, TOP).toString('latin1'))
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function detectUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = [bytes[0], bytes[1]]
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return undefined
}

/** Sequences that are UTF-8 beyond doubt: where there are many, a single wrong byte is damage and not another encoding. */
const utf8Sequences = (bytes: Buffer) =>
  bytes.toString('latin1').match(/[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g)
    ?.length ?? 0
const highBytes = (bytes: Buffer) => bytes.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0)

function decodeLegacy(bytes: Buffer): string {
  const declared = declaredIn(bytes)
  if (declared && /^utf-?8$/.test(declared)) throw new NotText(WRONG('UTF-8'))
  // iso-8859-1 means Windows-1252 on the web (WHATWG Encoding).
  const label = !declared || /^(iso-?8859-1|latin-?1|us-ascii|ascii)$/.test(declared) ? 'windows-1252' : declared
  if (!iconv.encodingExists(label))
    throw new NotText(`says it is ${label}, which is not a known encoding. Save it again as UTF-8`)
  if (!declared && utf8Sequences(bytes) * 2 > highBytes(bytes) / 2)
    throw new NotText('is damaged UTF-8: some of its bytes are missing or wrong. Save it again as UTF-8')
  // Five bytes mean nothing in Windows-1252; where they stand, it is another encoding.
  if (label === 'windows-1252' && bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte))) {
    throw new NotText('has an unknown encoding. Save it again as UTF-8')
  }
  const text = iconv.decode(bytes, label)
  if (text.includes('\ufffd')) throw new NotText(WRONG(label))
  return text
}

/**
 * The text of an uploaded template: UTF-8 (with or without a byte order mark), UTF-16, an encoding the file declares, or
 * Windows-1252. What the file says about its encoding is rewritten to UTF-8, which is what is stored. Throws NotText.
 */
export function decodeTemplate(bytes: Buffer): string {
  if (bytes.length === 0) throw new NotText('is empty')
  const utf16 = detectUtf16(bytes)
  const text = (utf16 ? iconv.decode(bytes, utf16) : (decodeUtf8(bytes) ?? decodeUnlessBinary(bytes))).replace(
    /^\ufeff/,
    '',
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const isBinary = /[\u0000-\u0008\u000e-\u001f\ufffe\uffff]/.test(text) || !text.isWellFormed()
  if (isBinary || (utf16 && text.includes('\ufffd'))) throw new NotText(BINARY)
  if (text.trim() === '') throw new NotText('is empty')
  const top = text
    .slice(0, TOP)
    .replace(DECLARED, (whole, meta?: string, xml?: string) => whole.replace(meta ?? xml ?? '', 'utf-8'))
  return top + text.slice(TOP)
}

function decodeUnlessBinary(bytes: Buffer): string {
  if (bytes.subarray(0, 8192).some((byte) => byte < 9 || (byte > 13 && byte < 32))) throw new NotText(BINARY)
  return decodeLegacy(bytes)
}
