import { createHash } from 'node:crypto'
import type { StoredImage } from '#contracts/blog/blog.ts'
import type { Db } from '#server/platform/db/database.ts'
import { encodeImage } from './encode.ts'
import { findImageBytes, findSizes, insertSizes, type Size, touchSizes } from './store.ts'

// Its size stands in the address, so that HTML can name it without asking.
const PATH = /^\/media\/([0-9a-f]{40})-(\d{1,5})x(\d{1,5})\.webp$/

const present = ({ hash, width, height }: Size): StoredImage => ({
  url: `/media/${hash}-${width}x${height}.webp`,
  width,
  height,
})

/** Keeps an uploaded image in its sizes, once. Returns them, the largest first. Throws Refusal 400 naming `field`. */
export async function storeImage(db: Db, bytes: Buffer, field: string): Promise<[StoredImage, ...StoredImage[]]> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 40)
  await touchSizes(db, hash)
  let sizes = await findSizes(db, [hash])
  if (sizes.length === 0) {
    const made = await encodeImage(bytes, field)
    await insertSizes(db, hash, made)
    sizes = made.map(({ width, height }) => ({ hash, width, height }))
  }
  return sizes.map(present) as [StoredImage, ...StoredImage[]]
}

/** Width and height of an image of ours by its address; undefined for any other address. */
export function sizeIn(url: string): { hash: string; width: number; height: number } | undefined {
  const found = PATH.exec(url)
  return found ? { hash: found[1] as string, width: Number(found[2]), height: Number(found[3]) } : undefined
}

/** The sizes of images of ours by their addresses, the largest first. Other addresses are skipped. */
export async function imageSizes(db: Db, urls: string[]): Promise<Map<string, StoredImage[]>> {
  const rows = await findSizes(db, [...new Set(urls.flatMap((url) => sizeIn(url)?.hash ?? []))])
  const own = urls.filter((url) => rows.some((row) => row.hash === sizeIn(url)?.hash))
  return new Map(own.map((url) => [url, rows.filter((row) => row.hash === sizeIn(url)?.hash).map(present)]))
}

/** The bytes of an image of ours by its address, as WebP; undefined for any other address. */
export async function imageBytes(db: Db, url: string): Promise<Buffer | undefined> {
  const size = sizeIn(url)
  return size && findImageBytes(db, size.hash, size.width)
}
