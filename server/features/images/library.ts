import type { FastifyInstance } from 'fastify'
import { images, LIBRARY_LIMIT, type LibraryImage } from '#contracts/images/images.ts'
import type { Db } from '#server/platform/db/database.ts'
import { mount } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, notFound, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { storeImage } from './images.ts'
import * as store from './library-store.ts'

const MAX_A_DAY = 2 * LIBRARY_LIMIT

type Context = Pick<Services, 'db' | 'config'>

const present = ({ config }: Context, row: store.LibraryRow): LibraryImage => {
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
  services: Context,
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

async function listImages(
  services: Context,
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

/** The images a workspace has at hand for its emails. */
export function mountLibrary(app: FastifyInstance, services: Context & { db: Db }): void {
  mount(app, images.list, ({ caller, query }) => listImages(services, caller.workspaceId, query))
  mount(app, images.add, async ({ caller, form }) => {
    const { image, alt } = await form()
    return addToLibrary(services, caller.workspaceId, { ...image, ...(alt && { alt }) })
  })
  mount(app, images.change, async ({ caller, params, body }) => {
    const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const row = await store.changeImage(services.db, caller.workspaceId, params.id, fields)
    if (!row) throw notFound('Image')
    return present(services, row)
  })
  mount(app, images.remove, async ({ caller, params }) => {
    if (!(await store.deleteImage(services.db, caller.workspaceId, params.id))) throw notFound('Image')
    return {}
  })
}
