import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Parser } from 'htmlparser2'
import { PICTURE_LIMIT } from '#contracts/blog.ts'
import { TEMPLATE_LIMIT, templates } from '#contracts/templates.ts'
import { addToLibrary } from '#server/features/pictures/index.ts'
import { invalid, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { ARCHIVE_LIMIT, letterIn, mapPictures, pathOf, readArchive } from './archive.ts'
import { decodeTemplate, NotText } from './decode.ts'
import type { TemplateFields } from './store.ts'

const EXTENSION = /\.(html?|mjml|zip)$/i
type Context = Pick<Services, 'db' | 'config'>
const FIELDS = ['name', 'subject', 'channel']

/** 413 with what to do about it. */
export const tooLarge = (field: string) =>
  new Refusal(
    413,
    'too_large',
    'The template is larger than 1 MB. Mail programs cut messages at about 100 kB: keep pictures out of the file and link to them instead.',
    {
      details: [{ field, message: 'is larger than 1 MB' }],
    },
  )

/** Whether a source is MJML, whatever its file is called: its first element, behind comments and declarations, says so. */
export function isMjml(source: string): boolean {
  // A scanner and not one expression: comments repeated in a pattern can make it try for ever.
  let at = 0
  for (;;) {
    while (/\s/.test(source.charAt(at))) at++
    const isComment = source.startsWith('<!--', at)
    if (!isComment && !source.startsWith('<?', at) && !source.startsWith('<!', at)) break
    const end = source.indexOf(isComment ? '-->' : '>', at)
    if (end < 0) return false
    at = end + (isComment ? 3 : 1)
  }
  return /^<mjml[\s>]/i.test(source.slice(at, at + 6))
}

/** The text of <title> or <mj-title>, as a name; nothing when it is blank or made of merge fields. */
function titleOf(source: string): string {
  let [title, inside, found] = ['', false, false]
  const parser = new Parser({
    onopentagname(name) {
      inside = !found && (name === 'title' || name === 'mj-title')
    },
    ontext(text) {
      if (inside) title += text
    },
    onclosetag(name) {
      if (inside) [inside, found] = [false, title.trim() !== '']
      if (name === 'head' || name === 'mj-head') parser.pause()
    },
  })
  parser.write(source.slice(0, 20_000))
  return /\{[{%]/.test(title) ? '' : oneLine(title)
}

/** A name is one line, without control characters. */
const oneLine = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 120)
    .trim()

async function contentOf(part: MultipartFile): Promise<Buffer> {
  const isArchive = /\.zip$/i.test(part.filename)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of part.file) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (!isArchive && size > TEMPLATE_LIMIT) throw tooLarge('file')
  }
  if (part.file.truncated)
    throw new Refusal(
      413,
      'too_large',
      'The archive is larger than 20 MB. Make its pictures smaller, then try again.',
      {
        details: [{ field: 'file', message: 'is larger than 20 MB' }],
      },
    )
  return Buffer.concat(chunks)
}

function sourceOf(bytes: Buffer): Pick<TemplateFields, 'html' | 'mjml'> {
  try {
    const text = decodeTemplate(bytes)
    if (!/<[a-z!]/i.test(text)) throw new NotText('holds no HTML or MJML')
    return isMjml(text) ? { html: '', mjml: text } : { html: text, mjml: '' }
  } catch (error) {
    if (error instanceof NotText) throw invalid('file', error.message)
    throw error
  }
}

async function readParts(
  request: FastifyRequest,
): Promise<{ file: { name: string; bytes: Buffer } | undefined; values: Record<string, string> }> {
  const values: Record<string, string> = {}
  let file: { name: string; bytes: Buffer } | undefined
  for await (const part of request.parts({ limits: { fileSize: ARCHIVE_LIMIT } })) {
    const known = part.type === 'file' ? part.fieldname === 'file' : FIELDS.includes(part.fieldname)
    if (!known) throw invalid(part.fieldname.slice(0, 100), 'is not a known field')
    if (part.type === 'field') values[part.fieldname] = String(part.value)
    else file = { name: part.filename, bytes: await contentOf(part) }
  }
  return { file, values }
}

/** The letter of an archive; the pictures it shows are kept in the library first, and stand at their new addresses. */
async function unpackedLetter(services: Context, workspaceId: string, bytes: Buffer) {
  const files = await readArchive(bytes)
  const letter = letterIn(files)
  const content = files.get(letter) as Buffer
  if (content.length > TEMPLATE_LIMIT) throw tooLarge('file')
  const source = sourceOf(content)
  const shown = new Set<string>()
  mapPictures(source.mjml || source.html, (address) => {
    const path = pathOf(letter, address)
    if (path !== undefined && files.has(path)) shown.add(path)
    return undefined
  })
  const kept = new Map<string, string>()
  for (const path of shown) {
    const picture = files.get(path) as Buffer
    if (picture.length > PICTURE_LIMIT) throw invalid('file', `holds ${path}, a picture of more than 5 MB`)
    const { url } = await addToLibrary(services, workspaceId, { name: path, bytes: picture }, 'file').catch((error) => {
      if (error instanceof Refusal && error.status === 400)
        throw invalid('file', `holds ${path}, which is no picture we can use: choose JPEG, PNG, WebP or GIF`)
      throw error
    })
    kept.set(path, url)
  }
  const moved = (text: string) => mapPictures(text, (address) => kept.get(pathOf(letter, address) ?? ''))
  const text = files.get('letter.txt')
  return {
    source: { html: moved(source.html), mjml: moved(source.mjml), ...(text && { text: decodeTemplate(text) }) },
  }
}

/**
 * A template from a form with `file`: .html, .mjml, or a .zip of one with its pictures. Throws Refusal: 400 naming the
 * field, 413 over 1 MB (20 MB for an archive).
 */
export async function readUpload(
  services: Context,
  workspaceId: string,
  request: FastifyRequest,
): Promise<TemplateFields> {
  const { file, values } = await readParts(request).catch((error) => {
    // What is still coming is let go unread, so that the answer reaches a client that is busy sending.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  })
  if (!file) throw invalid('file', 'is required: choose an .html, .mjml or .zip file')
  if (!EXTENSION.test(file.name)) throw invalid('file', 'is not an .html, .htm, .mjml or .zip file')
  const isArchive = /\.zip$/i.test(file.name)
  const { source } = isArchive
    ? await unpackedLetter(services, workspaceId, file.bytes)
    : { source: sourceOf(file.bytes) }
  const named = oneLine(file.name.replace(/^.*[\\/]/, '').replace(EXTENSION, ''))
  const name = values.name?.trim() || titleOf(source.mjml || source.html) || named || 'Template'
  const checked = templates.create.body.safeParse({ ...values, name, ...source })
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw invalid(String(issue?.path[0] ?? 'file'), issue?.message ?? 'cannot be used')
}
