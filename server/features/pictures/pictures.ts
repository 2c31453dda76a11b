import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Picture } from '#contracts/blog.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { encodePicture } from './encode.ts'
import { bytesOf, insertSizes, type Size, sizesOf, touchSizes } from './store.ts'

// Its size stands in the address, so that HTML can name it without asking.
const PATH = /^\/media\/([0-9a-f]{40})-(\d{1,5})x(\d{1,5})\.webp$/

const present = ({ hash, width, height }: Size): Picture => ({
  url: `/media/${hash}-${width}x${height}.webp`,
  width,
  height,
})

/** Keeps an uploaded picture in its sizes, once. Answers them, the largest first. Throws Refusal 400 naming `field`. */
export async function keepPicture(db: Db, bytes: Buffer, field: string): Promise<[Picture, ...Picture[]]> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 40)
  await touchSizes(db, hash)
  let sizes = await sizesOf(db, [hash])
  if (sizes.length === 0) {
    const made = await encodePicture(bytes, field)
    await insertSizes(db, hash, made)
    sizes = made.map(({ width, height }) => ({ hash, width, height }))
  }
  return sizes.map(present) as [Picture, ...Picture[]]
}

/** Width and height of a picture of ours by its address; undefined for any other address. */
export function sizeIn(url: string): { hash: string; width: number; height: number } | undefined {
  const found = PATH.exec(url)
  return found ? { hash: found[1] as string, width: Number(found[2]), height: Number(found[3]) } : undefined
}

/** The sizes of pictures of ours by their addresses, the largest first. Other addresses are left out. */
export async function pictureSizes(db: Db, urls: string[]): Promise<Map<string, Picture[]>> {
  const rows = await sizesOf(db, [...new Set(urls.flatMap((url) => sizeIn(url)?.hash ?? []))])
  const own = urls.filter((url) => rows.some((row) => row.hash === sizeIn(url)?.hash))
  return new Map(own.map((url) => [url, rows.filter((row) => row.hash === sizeIn(url)?.hash).map(present)]))
}

/** The bytes of a picture of ours by its address, as WebP; undefined for any other address. */
export async function pictureBytes(db: Db, url: string): Promise<Buffer | undefined> {
  const size = sizeIn(url)
  return size && bytesOf(db, size.hash, size.width)
}

/** Serves stored pictures at /media, always the same under one address. */
export function mountPictures(app: FastifyInstance, { db }: Pick<Services, 'db'>): void {
  app.get('/media/:name', async (request, reply) => {
    const bytes = await pictureBytes(db, `/media/${(request.params as { name: string }).name}`)
    if (!bytes) throw notFound('Picture')
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type('image/webp')
      .send(bytes)
  })
}
