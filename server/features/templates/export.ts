import { strToU8, type Zippable, zipSync } from 'fflate'
import { pictureBytes } from '#server/features/pictures/index.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { mapPictures } from './archive.ts'
import { renderCanvasBounded } from './renderer.ts'
import type { TemplateRow } from './store.ts'

export interface ExportedFile {
  name: string
  type: string
  bytes: Buffer
}

async function htmlOf(row: TemplateRow): Promise<string> {
  if (row.mjml.trim() === '') return row.html
  const { html, problems } = await renderCanvasBounded(row.mjml, true)
  if (html !== '') return html
  throw conflict('not_ready', `It cannot be made into HTML yet: ${problems[0]?.message ?? 'its MJML has an error'}.`)
}

/** Pictures of ours move into the archive; what lies elsewhere stays there. */
async function packed(services: Pick<Services, 'db' | 'config'>, row: TemplateRow): Promise<Buffer> {
  const files: Zippable = {}
  const sources = row.mjml.trim() === '' ? { 'index.html': row.html } : { 'index.mjml': row.mjml }
  for (const [name, source] of Object.entries(sources)) {
    const own = new Map<string, string>()
    mapPictures(source, (address) => {
      const path = address.startsWith(services.config.publicUrl)
        ? address.slice(services.config.publicUrl.length)
        : address
      if (/^\/media\/[\w.-]+$/.test(path)) own.set(address, `pictures/${path.slice('/media/'.length)}`)
      return undefined
    })
    for (const [address, path] of own) {
      const bytes = await pictureBytes(services.db, `/media/${path.slice('pictures/'.length)}`)
      if (bytes) files[path] = [new Uint8Array(bytes), { level: 0 }]
      else own.delete(address)
    }
    files[name] = strToU8(mapPictures(source, (address) => own.get(address)))
  }
  if (row.text.trim() !== '') files['letter.txt'] = strToU8(row.text)
  return Buffer.from(zipSync(files))
}

/** A template as a file. Throws Refusal 409 where there is none of that kind. */
export async function exportTemplate(
  services: Pick<Services, 'db' | 'config'>,
  row: TemplateRow,
  format: 'html' | 'mjml' | 'zip',
): Promise<ExportedFile> {
  const base =
    row.name
      .replace(/[^\p{L}\p{N} ._-]+/gu, '')
      .trim()
      .slice(0, 80) || 'template'
  if (format === 'html')
    return { name: `${base}.html`, type: 'text/html; charset=utf-8', bytes: Buffer.from(await htmlOf(row)) }
  if (format === 'zip') return { name: `${base}.zip`, type: 'application/zip', bytes: await packed(services, row) }
  if (row.mjml.trim() === '') throw conflict('no_mjml', 'This template is written in HTML: there is no MJML of it.')
  return { name: `${base}.mjml`, type: 'application/xml; charset=utf-8', bytes: Buffer.from(row.mjml) }
}
