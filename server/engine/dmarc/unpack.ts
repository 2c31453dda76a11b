import { gunzipSync } from 'node:zlib'
import { Unzip, UnzipInflate } from 'fflate'

/** Bytes of the XML of one report: the largest real ones have a few MB. */
export const MAX_XML = 20 * 1024 * 1024
/** Pieces of an archive so small that one of them never becomes much more than the limit. */
const PIECE = 4 * 1024

/** The XML of a report that came as it is, in gzip or in a ZIP archive; undefined: it is none of them, damaged, or too large. */
export function unpackXml(bytes: Uint8Array): Uint8Array | undefined {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, { maxOutputLength: MAX_XML })
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return unzipFirst(bytes)
    const start = Buffer.from(bytes.subarray(0, 200)).toString('utf8').trimStart()
    return /^\ufeff?\s*</.test(start) && bytes.length <= MAX_XML ? bytes : undefined
  } catch {
    return undefined
  }
}

/** The first XML file of an archive. Throws for what is damaged or too large. */
function unzipFirst(bytes: Uint8Array): Uint8Array | undefined {
  const pieces: Uint8Array[] = []
  let [size, isFound, isWhole] = [0, false, false]
  const unzip = new Unzip((file) => {
    if (isFound || !/\.xml$/i.test(file.name)) return
    isFound = true
    file.ondata = (error, piece, final) => {
      if (error) throw error
      size += piece.length
      if (size > MAX_XML) throw new RangeError('too large')
      pieces.push(piece)
      isWhole ||= final
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < bytes.length && !isWhole; at += PIECE)
    unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
  return isWhole ? Buffer.concat(pieces) : undefined
}
