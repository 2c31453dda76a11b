import { isAscii, isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { FileRefused } from './refusal.ts'

export type Encoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252'
export type Detected = { kind: 'xlsx' } | { kind: 'csv'; encoding: Encoding; bom: number }

const SAVE_AS = 'Save it as CSV or as an Excel workbook (.xlsx) and send it again.'

/** How files that are no table begin, and what to call them. */
const STRANGERS: [bytes: string, what: string][] = [
  ['%PDF', 'a PDF document'],
  ['\x89PNG', 'an image'],
  ['\xff\xd8\xff', 'an image'],
  ['GIF8', 'an image'],
  ['RIFF', 'an image or an audio file'],
  ['BM\x36', 'an image'],
  ['\x1f\x8b', 'a compressed file (gzip)'],
  ['BZh', 'a compressed file (bzip2)'],
  ['\xfd7zXZ', 'a compressed file (xz)'],
  ['7z\xbc\xaf', 'a compressed file (7-Zip)'],
  ['Rar!', 'a compressed file (RAR)'],
  ['\x28\xb5\x2f\xfd', 'a compressed file (zstd)'],
  ['PAR1', 'a Parquet file'],
  ['SQLite format 3', 'a database'],
  ['\x7fELF', 'a program'],
  ['MZ\x90', 'a program'],
  ['{\\rtf', 'a text document (RTF)'],
  ['BEGIN:VCARD', 'a set of address cards (vCard)'],
]

/** Tells what a file is by its bytes, never by its name. Throws FileRefused with a text for people. */
export async function detect(path: string): Promise<Detected> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(65_536)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    const start = head.subarray(0, bytesRead)
    if (bytesRead === 0) throw new FileRefused('The file is empty.')
    if (start.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return { kind: 'xlsx' }
    refuseStrangers(start)
    const wide = utf16(start)
    if (wide) return wide
    if (start.includes(0)) throw new FileRefused(`The file is not text. ${SAVE_AS}`)
    const bom = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0
    if (bytesRead === bom) throw new FileRefused('The file is empty.')
    return { kind: 'csv', encoding: bom ? 'UTF-8' : await utf8OrWindows(file, head), bom }
  } finally {
    await file.close()
  }
}

function refuseStrangers(start: Buffer): void {
  const head = start.toString('latin1', 0, 1024)
  if (head.startsWith('\xd0\xcf\x11\xe0')) {
    throw new FileRefused(`The file is an old Excel workbook (.xls) or one protected by a password. ${SAVE_AS}`)
  }
  const stranger = STRANGERS.find(([bytes]) => head.startsWith(bytes))
  if (stranger) throw new FileRefused(`The file is ${stranger[1]}, not a table. ${SAVE_AS}`)
  if (/^(\xef\xbb\xbf)?\s*<(!doctype|html|\?xml|table|svg)/i.test(head)) {
    throw new FileRefused(`The file is a web page or XML, not a table. ${SAVE_AS}`)
  }
}

/** UTF-16 by its byte order mark, or by the zeros that Latin text has in every second place. */
function utf16(start: Buffer): Detected | null {
  if (start[0] === 0xff && start[1] === 0xfe) return { kind: 'csv', encoding: 'UTF-16LE', bom: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { kind: 'csv', encoding: 'UTF-16BE', bom: 2 }
  const zeros = [0, 0]
  for (let i = 0; i < start.length; i++) if (start[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = start.length * 0.15
  if (odd > many && even < odd / 20) return { kind: 'csv', encoding: 'UTF-16LE', bom: 0 }
  if (even > many && odd < even / 20) return { kind: 'csv', encoding: 'UTF-16BE', bom: 0 }
  return null
}

/**
 * Reads the whole file (about 1 GB a second): an accent in the last row decides as much as one in the first.
 * A UTF-8 file with a few broken bytes stays UTF-8, so that one bad row does not garble all the others.
 */
async function utf8OrWindows(file: { read: FileRead }, buffer: Buffer): Promise<Encoding> {
  let whole = 0
  let broken = 0
  let kept = 0
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, at)
    at += bytesRead
    const length = kept + bytesRead
    // A character may be cut at the end of the piece: its bytes wait for the rest.
    const end = bytesRead === 0 ? length : completeEnd(buffer, length)
    const piece = buffer.subarray(0, end)
    if (!isAscii(piece)) {
      const count = countUtf8(piece, isUtf8(piece))
      whole += count.whole
      broken += count.broken
    }
    if (bytesRead === 0) break
    buffer.copyWithin(0, end, length)
    kept = length - end
  }
  return broken === 0 || whole > broken ? 'UTF-8' : 'Windows-1252'
}

type FileRead = (buffer: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>

function completeEnd(buffer: Buffer, length: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = buffer[length - back] ?? 0
    if (byte >= 0xc0) return length - back
    if (byte < 0x80) return length
  }
  return length
}

/** Counts well-formed multi-byte characters and bytes that fit no character. */
function countUtf8(piece: Buffer, sound: boolean): { whole: number; broken: number } {
  let whole = 0
  let broken = 0
  for (let i = 0; i < piece.length; i++) {
    const byte = piece[i] ?? 0
    if (byte < 0x80) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    if (sound || (byte >= 0xc2 && i + size <= piece.length && isUtf8(piece.subarray(i, i + size)))) {
      whole++
      i += size - 1
    } else broken++
  }
  return { whole, broken }
}
