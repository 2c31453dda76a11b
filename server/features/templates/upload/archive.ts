import { posix } from 'node:path'
import { setImmediate as letOthersIn } from 'node:timers/promises'
import { Unzip, UnzipInflate } from 'fflate'
import { invalid } from '#server/platform/http/refusal.ts'

const UNPACKED_LIMIT = 60 * 1024 * 1024
const MAX_FILES = 300
// A step is unpacked to at most a thousand times its size, so this bounds what one step may hold in memory.
const STEP = 16 * 1024
/** After so many bytes unpacked other requests have their turn. */
const TURN = 4 * 1024 * 1024

const refused = (message: string) => invalid('file', `${message}. Nothing was saved`)

/** The path of an entry, or why the archive is refused for it. */
function safePath(name: string): string {
  if (/^[\\/]|^[a-z]:|\\|\0/i.test(name) || name.split('/').includes('..'))
    throw refused(`holds a file named ${JSON.stringify(name.slice(0, 80))}, which leads out of the archive`)
  return posix.normalize(name)
}

const isNoise = (path: string) => /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$)/i.test(path) || path.endsWith('/')

/**
 * The files of a ZIP archive by their paths, unpacked in memory and never on disk. Throws Refusal 400: paths that lead out,
 * more than 300 files, more than 60 MB unpacked, damage.
 */
export async function readArchive(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  let [total, count] = [0, 0]
  const unzip = new Unzip((entry) => {
    const path = safePath(entry.name)
    if (++count > MAX_FILES) throw refused(`holds more than ${MAX_FILES} files`)
    const chunks: Uint8Array[] = []
    entry.ondata = (error, chunk, last) => {
      if (error) throw error
      total += chunk.length
      if (total > UNPACKED_LIMIT) throw refused('unpacks to more than 60 MB')
      if (isNoise(path)) return
      chunks.push(chunk)
      if (last) files.set(path, Buffer.concat(chunks))
    }
    entry.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let [at, before] = [0, 0]; at < bytes.length; at += STEP) {
      unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length)
      if (total - before < TURN) continue
      before = total
      await letOthersIn()
    }
  } catch (error) {
    if (error instanceof Error && 'status' in error) throw error
    throw refused('is damaged, protected by a password, or not a ZIP archive')
  }
  if (files.size === 0) throw refused('is damaged, empty or not a ZIP archive')
  return files
}

/** The one email of an archive: an .mjml file before an .html file, one near the top before one further down. */
export function findEmailFile(files: Map<string, Buffer>): string {
  for (const kind of [/\.mjml$/i, /\.html?$/i]) {
    const found = [...files.keys()].filter((path) => kind.test(path))
    const depth = Math.min(...found.map((path) => path.split('/').length))
    const near = found.filter((path) => path.split('/').length === depth)
    const [first, second] = near
    if (!first) continue
    const index = near.find((path) => /(?:^|\/)index\.[a-z]+$/i.test(path))
    if (index || second === undefined) return index ?? first
    throw refused(`contains several emails (${near.slice(0, 3).join(', ')}). Name the right one index.html`)
  }
  throw refused('holds no .html or .mjml file')
}

const OPENING = /\b(?:src|background|background-url|srcset)\s*=\s*(?=["'])|\burl\(\s*/gi

/** Where the address stands that an opening leads to, and where everything about it ends; undefined when there is none. */
function addressAfter(
  source: string,
  at: number,
  isUrl: boolean,
): { begin: number; end: number; after: number } | undefined {
  const quote = /["']/.test(source[at] ?? '') ? source[at] : ''
  const begin = quote ? at + 1 : at
  // Each search ends at the next opening, which holds a quote or a bracket: nothing is looked at twice.
  const rest = quote ? /["']/g : /["'()]/g
  rest.lastIndex = begin
  const found = rest.exec(source)
  if (!found || found.index === begin || found[0] !== (quote || ')')) return undefined
  const end = found.index
  if (!isUrl) return { begin, end, after: end + 1 }
  const close = /\s*\)/y
  close.lastIndex = quote ? end + 1 : end
  return close.test(source) ? { begin, end, after: close.lastIndex } : undefined
}

/** A source with each address of an image put through `change`; undefined leaves it. */
export function mapImages(source: string, change: (address: string) => string | undefined): string {
  let out = ''
  let copied = 0
  OPENING.lastIndex = 0
  for (let opening = OPENING.exec(source); opening; opening = OPENING.exec(source)) {
    const found = addressAfter(source, OPENING.lastIndex, opening[0].toLowerCase().startsWith('url'))
    if (!found) continue
    OPENING.lastIndex = found.after
    const changed = change(source.slice(found.begin, found.end).trim())
    if (changed === undefined) continue
    out += source.slice(copied, found.begin) + changed
    copied = found.end
  }
  return out + source.slice(copied)
}

/** Where in the archive an address of the email leads. */
export function resolveArchivePath(email: string, address: string): string | undefined {
  if (/^[a-z][a-z+.-]*:|^\/\/|^#|\{[{%]/i.test(address)) return undefined
  try {
    const bare = decodeURIComponent(address.replace(/[?#].*$/, ''))
    return posix.normalize(posix.join(posix.dirname(email), bare.replace(/^\//, '')))
  } catch {
    return undefined
  }
}
