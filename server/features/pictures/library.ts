import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PICTURE_LIMIT } from '#contracts/blog.ts'
import { LIBRARY_LIMIT, type LibraryPicture, pictures } from '#contracts/pictures.ts'
import type { Db } from '#server/platform/db/database.ts'
import { mount } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import * as store from './library-store.ts'
import { keepPicture } from './pictures.ts'

const MAX_A_DAY = 2 * LIBRARY_LIMIT

type Context = Pick<Services, 'db' | 'config'>

const present = ({ config }: Context, row: store.LibraryRow): LibraryPicture => {
  const { id, width, height, name, alt, createdAt } = row
  return { id, url: config.publicUrl + row.url, width, height, name, alt, createdAt: createdAt.toISOString() }
}

const oneLine = (text: string, most: number) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, most)

/** Keeps a picture in a workspace's library, once. Throws Refusal: 400 for what is no picture, 409 when the library is full, 429. */
export async function addToLibrary(
  services: Context,
  workspaceId: string,
  picture: { name: string; bytes: Buffer; alt?: string },
  field = 'image',
): Promise<LibraryPicture> {
  if ((await store.countPictures(services.db, workspaceId)) >= LIBRARY_LIMIT)
    throw conflict('library_full', `The library holds ${LIBRARY_LIMIT} pictures. Remove one you no longer need.`)
  // Adding and removing by turns would get round the limit.
  const added = await throttle(services.db, `pictures:${workspaceId}`, MAX_A_DAY, 86_400)
  if (!added.ok) throw tooMany(`You can add ${MAX_A_DAY} images a day. Try again later.`, added.wait)
  const [{ url, width, height }] = await keepPicture(services.db, picture.bytes, field)
  const name = oneLine(picture.name.replace(/^.*[\\/]/, '').replace(/\.\w+$/, ''), 120) || 'Picture'
  const alt = oneLine(picture.alt ?? '', 300)
  return present(services, await store.insertPicture(services.db, workspaceId, { url, width, height, name, alt }))
}

async function readUpload(request: FastifyRequest) {
  let file: { name: string; bytes: Buffer } | undefined
  let alt = ''
  for await (const part of request.parts({ limits: { fileSize: PICTURE_LIMIT } })) {
    if (part.type === 'field') {
      if (part.fieldname !== 'alt') throw invalid(part.fieldname.slice(0, 100), 'is not a known field')
      alt = String(part.value)
      continue
    }
    if (part.fieldname !== 'image') throw invalid(part.fieldname.slice(0, 100), 'is not a known field')
    const chunks: Buffer[] = []
    for await (const chunk of part.file) chunks.push(chunk as Buffer)
    if (part.file.truncated)
      throw new Refusal(413, 'too_large', 'The picture is larger than 5 MB. Make it smaller, then try again.', {
        details: [{ field: 'image', message: 'is larger than 5 MB' }],
      })
    file = { name: part.filename, bytes: Buffer.concat(chunks) }
  }
  if (!file) throw invalid('image', 'is required: choose a picture')
  return { ...file, alt }
}

async function page(services: Context, workspaceId: string, query: { limit: number; cursor?: string | undefined }) {
  if (query.cursor !== undefined && !/^[1-9]\d{0,18}$/.test(query.cursor)) throw invalid('cursor', 'is not one of ours')
  const rows = await store.picturePage(services.db, workspaceId, query.limit + 1, query.cursor)
  const shown = rows.slice(0, query.limit)
  return {
    items: shown.map((row) => present(services, row)),
    nextCursor: rows.length > query.limit ? (shown.at(-1)?.id ?? null) : null,
    total: await store.countPictures(services.db, workspaceId),
  }
}

/** The pictures a workspace has at hand for its letters. */
export function mountLibrary(app: FastifyInstance, services: Context & { db: Db }): void {
  mount(app, pictures.list, ({ caller, query }) => page(services, caller.workspaceId, query))
  mount(app, pictures.add, async ({ caller, request }) => {
    const file = await readUpload(request).catch((error) => {
      // What is still coming is let go unread, so that the answer reaches a client that is busy sending.
      request.raw.unpipe()
      request.raw.resume()
      throw error
    })
    return addToLibrary(services, caller.workspaceId, file)
  })
  mount(app, pictures.change, async ({ caller, params, body }) => {
    const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const row = await store.changePicture(services.db, caller.workspaceId, params.id, fields)
    if (!row) throw notFound('Picture')
    return present(services, row)
  })
  mount(app, pictures.remove, async ({ caller, params }) => {
    if (!(await store.deletePicture(services.db, caller.workspaceId, params.id))) throw notFound('Picture')
    return {}
  })
}
