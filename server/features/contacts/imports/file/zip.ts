import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { FileRefused } from './refusal.ts'

export interface ZipEntry {
  name: string
  method: number
  packed: number
  at: number
}

const DAMAGED = 'The file is damaged: its parts cannot be found. Save it and upload it again.'
/** Why a file that unpacks to too much is refused. */
export const TOO_MUCH = 'The file unpacks to far more than a table of contacts holds. Save it as CSV and send it again.'
/** An entry may unpack to this many bytes, and to this many times what was read of it once it is past the free part. */
const MAX_UNPACKED = 4 * 2 ** 30
const MAX_RATIO = 200
const RATIO_FREE = 64 * 2 ** 20
const MAX_DIRECTORY = 16 * 2 ** 20

/** The entries of a ZIP file (APPNOTE 6.3, ZIP64 included) by name, read from its directory at the end. */
export async function openZip(path: string): Promise<Map<string, ZipEntry>> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = await readAt(file, Math.max(0, size - 65_557 - 20), Math.min(size, 65_557 + 20))
    const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
    if (end < 0 || end + 22 > tail.length) throw new FileRefused(DAMAGED)
    let length = tail.readUInt32LE(end + 12)
    let at = tail.readUInt32LE(end + 16)
    const locator = end - 20
    if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
      const record = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56)
      if (record.length < 56) throw new FileRefused(DAMAGED)
      length = Number(record.readBigUInt64LE(40))
      at = Number(record.readBigUInt64LE(48))
    }
    if (length > MAX_DIRECTORY) throw new FileRefused(TOO_MUCH)
    return directory(await readAt(file, at, Math.min(length, size)))
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  return buffer.subarray(0, bytesRead)
}

function directory(bytes: Buffer): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  for (let i = 0; i + 46 <= bytes.length && bytes.readUInt32LE(i) === 0x02014b50; ) {
    const nameLength = bytes.readUInt16LE(i + 28)
    const extraLength = bytes.readUInt16LE(i + 30)
    const name = bytes.toString('utf8', i + 46, i + 46 + nameLength)
    if (bytes.readUInt16LE(i + 8) & 1) {
      throw new FileRefused('The file is protected by a password. Save it without one and send it again.')
    }
    const entry = {
      name,
      method: bytes.readUInt16LE(i + 10),
      packed: bytes.readUInt32LE(i + 20),
      at: bytes.readUInt32LE(i + 42),
    }
    readZip64(entry, bytes.readUInt32LE(i + 24), bytes.subarray(i + 46 + nameLength, i + 46 + nameLength + extraLength))
    entries.set(name, entry)
    i += 46 + nameLength + extraLength + bytes.readUInt16LE(i + 32)
  }
  return entries
}

/** Sizes and places beyond 4 GB stand in the extra field, in this order, and only where the short field is full. */
function readZip64(entry: ZipEntry, unpacked: number, extra: Buffer): void {
  for (let i = 0; i + 4 <= extra.length; i += 4 + extra.readUInt16LE(i + 2)) {
    if (extra.readUInt16LE(i) !== 1) continue
    let field = i + 4
    const next = () => {
      if (field + 8 > extra.length) throw new FileRefused(DAMAGED)
      field += 8
      return Number(extra.readBigUInt64LE(field - 8))
    }
    if (unpacked === 0xffffffff) next()
    if (entry.packed === 0xffffffff) entry.packed = next()
    if (entry.at === 0xffffffff) entry.at = next()
    return
  }
}

/** Unpacks an entry piece by piece; refuses what unpacks to more than `max` bytes. `onBytes` hears the packed bytes read. */
export async function* unpack(
  path: string,
  entry: ZipEntry,
  { onBytes, max = MAX_UNPACKED }: { onBytes?: (bytes: number) => void; max?: number } = {},
): AsyncGenerator<Buffer> {
  if (entry.method !== 0 && entry.method !== 8) throw new FileRefused(DAMAGED)
  if (entry.packed === 0) return
  const start = await dataStart(path, entry)
  const packed = createReadStream(path, { start, end: start + entry.packed - 1, highWaterMark: 65_536 })
  const pieces = entry.method === 0 ? packed : pipeline(packed, createInflateRaw({ chunkSize: 131_072 }), () => {})
  let unpacked = 0
  try {
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      unpacked += piece.length
      // By the bytes that were read: the size in the directory is whatever its author wrote there.
      if (unpacked > max || (unpacked > RATIO_FREE && unpacked > MAX_RATIO * packed.bytesRead)) {
        throw new FileRefused(TOO_MUCH)
      }
      onBytes?.(packed.bytesRead)
      yield piece
    }
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith('Z_') ? new FileRefused(DAMAGED) : error
  } finally {
    packed.destroy()
  }
}

async function dataStart(path: string, entry: ZipEntry): Promise<number> {
  const file = await open(path)
  try {
    const header = await readAt(file, entry.at, 30)
    if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new FileRefused(DAMAGED)
    return entry.at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    await file.close()
  }
}
