import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { imageBytes, imageSizes } from '#server/features/images/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { renderCanvasBounded } from './rendering/renderer.ts'
import type { TemplateRow } from './store.ts'
import { mapImages } from './upload/archive.ts'

const MAX_IMAGES = 300

export interface ExportedFile {
  name: string
  type: string
  content: Buffer | Readable
}

async function renderExport(workspaceId: string, row: TemplateRow): Promise<string> {
  if (row.mjml.trim() === '') return row.html
  const { html, problems } = await renderCanvasBounded({ workspaceId }, row.mjml, true)
  if (html !== '') return html
  throw conflict(
    'not_ready',
    `The template cannot be converted to HTML yet: ${problems[0]?.message ?? 'its MJML has an error'}.`,
  )
}

async function* image(db: Db, path: string): AsyncGenerator<Buffer> {
  const bytes = await imageBytes(db, path)
  if (bytes) yield bytes
}

/** Images of ours move into the archive; what lies elsewhere stays there. Made while it is read, one image at a time. */
async function packed(services: Pick<Services, 'db' | 'config'>, row: TemplateRow): Promise<Readable> {
  const [name, source] = row.mjml.trim() === '' ? ['index.html', row.html] : ['index.mjml', row.mjml]
  const own = new Map<string, string>()
  mapImages(source, (address) => {
    const path = address.startsWith(services.config.publicUrl)
      ? address.slice(services.config.publicUrl.length)
      : address
    if (/^\/media\/[\w.-]+$/.test(path)) own.set(address, path)
    return undefined
  })
  const asked = new Set(own.values())
  if (asked.size > MAX_IMAGES)
    throw conflict('too_many_images', `The template shows ${asked.size} images; an archive can have ${MAX_IMAGES}.`)
  const known = await imageSizes(services.db, [...asked])
  for (const [address, path] of own) if (!known.get(path)?.some(({ url }) => url === path)) own.delete(address)
  const inside = (path: string) => `images/${path.slice('/media/'.length)}`
  const moved = mapImages(source, (address) => {
    const path = own.get(address)
    return path && inside(path)
  })
  const zip = new ZipFile()
  const out = zip.outputStream as PassThrough
  zip.addBuffer(Buffer.from(moved), name)
  if (row.text.trim() !== '') zip.addBuffer(Buffer.from(row.text), 'email.txt')
  for (const path of new Set(own.values()))
    zip.addReadStreamLazy(inside(path), { compress: false }, (give) =>
      give(null, Readable.from(image(services.db, path))),
    )
  // Half an archive must not look like a whole one.
  zip.on('error', (error: Error) => out.destroy(error))
  zip.end()
  return out
}

/** A template as a file. Throws Refusal 409 where there is none of that kind. */
export async function exportTemplate(
  services: Pick<Services, 'db' | 'config'>,
  workspaceId: string,
  row: TemplateRow,
  format: 'html' | 'mjml' | 'zip',
): Promise<ExportedFile> {
  const base =
    row.name
      .replace(/[^\p{L}\p{N} ._-]+/gu, '')
      .trim()
      .slice(0, 80) || 'template'
  if (format === 'html')
    return {
      name: `${base}.html`,
      type: 'text/html; charset=utf-8',
      content: Buffer.from(await renderExport(workspaceId, row)),
    }
  if (format === 'zip') return { name: `${base}.zip`, type: 'application/zip', content: await packed(services, row) }
  if (row.mjml.trim() === '') throw conflict('no_mjml', 'This template is written in HTML and has no MJML.')
  return { name: `${base}.mjml`, type: 'application/xml; charset=utf-8', content: Buffer.from(row.mjml) }
}
