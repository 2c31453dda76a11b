import { LIBRARY_LIMIT, type LibraryImage } from '#contracts/images/images.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, notFound, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { storeImage } from './images.ts'
import * as store from './library-store.ts'

const MAX_A_DAY = 2 * LIBRARY_LIMIT

type ImageServices = Pick<Services, 'db' | 'config'>

const present = ({ config }: ImageServices, row: store.LibraryRow): LibraryImage => {
  const { id, width, height, name, alt, createdAt } = row
  return { id, url: config.publicUrl + row.url, width, height, name, alt, createdAt: createdAt.toISOString() }
}

const oneLine = (text: string, most: number) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, most)

/** Keeps an image in a workspace's library, once. Throws Refusal: 400 for what is no image, 409 when the library is full, 429. */
export async function addToLibrary(
  services: ImageServices,
  workspaceId: string,
  image: { name: string; bytes: Buffer; alt?: string },
  field = 'image',
): Promise<LibraryImage> {
  if ((await store.countImages(services.db, workspaceId)) >= LIBRARY_LIMIT)
    throw conflict('library_full', `The library holds ${LIBRARY_LIMIT} images. Remove one you no longer need.`)
  // Adding and removing by turns would get round the limit.
  const added = await throttle(services.db, `images:${workspaceId}`, MAX_A_DAY, 86_400)
  if (!added.ok) throw tooMany(`You can add ${MAX_A_DAY} images a day. Try again later.`, added.wait)
  const [{ url, width, height }] = await storeImage(services.db, image.bytes, field)
  const name = oneLine(image.name.replace(/^.*[\\/]/, '').replace(/\.\w+$/, ''), 120) || 'Image'
  const alt = oneLine(image.alt ?? '', 300)
  return present(services, await store.insertImage(services.db, workspaceId, { url, width, height, name, alt }))
}

/** A page of the library, the newest images first. */
export async function listImages(
  services: ImageServices,
  workspaceId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const rows = await store.imagePage(services.db, workspaceId, query.limit + 1, query.cursor)
  const { items: shown, nextCursor } = takePage(rows, query.limit)
  return {
    items: shown.map((row) => present(services, row)),
    nextCursor,
    total: await store.countImages(services.db, workspaceId),
  }
}

/** Changes the name or the alternative text of an image. Throws Refusal 404. */
export async function changeImage(
  services: ImageServices,
  workspaceId: string,
  id: string,
  given: { name?: string | undefined; alt?: string | undefined },
): Promise<LibraryImage> {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const row = await store.changeImage(services.db, workspaceId, id, fields)
  if (!row) throw notFound('Image')
  return present(services, row)
}

/** Takes an image out of the library. Throws Refusal 404. */
export async function removeImage({ db }: ImageServices, workspaceId: string, id: string): Promise<void> {
  if (!(await store.deleteImage(db, workspaceId, id))) throw notFound('Image')
}
