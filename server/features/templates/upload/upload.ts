import { Parser } from 'htmlparser2'
import type { z } from 'zod'
import { IMAGE_LIMIT } from '#contracts/blog/blog.ts'
import { TEMPLATE_LIMIT, TEMPLATE_TOO_LARGE, templates } from '#contracts/templates/templates.ts'
import { addToLibrary } from '#server/features/images/index.ts'
import { invalid, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import type { TemplateFields } from '../store.ts'
import { findEmailFile, mapImages, readArchive, resolveArchivePath } from './archive.ts'
import { decodeTemplate, NotText } from './decode.ts'

const EXTENSION = /\.(html?|mjml|zip)$/i
type UploadServices = Pick<Services, 'db' | 'config'>

/** 413 with what to do about it. */
export const tooLarge = (field: string) =>
  new Refusal(413, 'too_large', TEMPLATE_TOO_LARGE, { details: [{ field, message: 'is larger than 1 MB' }] })

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
function findTitle(source: string): string {
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

function decodeSource(bytes: Buffer): Pick<TemplateFields, 'html' | 'mjml'> {
  try {
    const text = decodeTemplate(bytes)
    if (!/<[a-z!]/i.test(text)) throw new NotText('holds no HTML or MJML')
    return isMjml(text) ? { html: '', mjml: text } : { html: text, mjml: '' }
  } catch (error) {
    if (error instanceof NotText) throw invalid('file', error.message)
    throw error
  }
}

/** The email of an archive; the images it shows are stored in the library first, and it names their new addresses. */
async function unpackedEmail(services: UploadServices, workspaceId: string, bytes: Buffer) {
  const files = await readArchive(bytes)
  const email = findEmailFile(files)
  const content = files.get(email) as Buffer
  if (content.length > TEMPLATE_LIMIT) throw tooLarge('file')
  const source = decodeSource(content)
  const shown = new Set<string>()
  mapImages(source.mjml || source.html, (address) => {
    const path = resolveArchivePath(email, address)
    if (path !== undefined && files.has(path)) shown.add(path)
    return undefined
  })
  const kept = new Map<string, string>()
  for (const path of shown) {
    const image = files.get(path) as Buffer
    if (image.length > IMAGE_LIMIT) throw invalid('file', `contains ${path}, an image larger than 5 MB`)
    const { url } = await addToLibrary(services, workspaceId, { name: path, bytes: image }, 'file').catch((error) => {
      if (error instanceof Refusal && error.status === 400)
        throw invalid('file', `contains ${path}, which is not a supported image. Use JPEG, PNG, WebP or GIF`)
      throw error
    })
    kept.set(path, url)
  }
  const moved = (text: string) => mapImages(text, (address) => kept.get(resolveArchivePath(email, address) ?? ''))
  const text = files.get('email.txt')
  return {
    source: { html: moved(source.html), mjml: moved(source.mjml), ...(text && { text: decodeTemplate(text) }) },
  }
}

/**
 * A template from a form: .html, .mjml, or a .zip of one with its images. Throws Refusal: 400 naming the field, 413 over
 * 1 MB (20 MB for an archive).
 */
export async function readUpload(
  services: UploadServices,
  workspaceId: string,
  { file, ...given }: z.output<typeof templates.create.form>,
): Promise<TemplateFields> {
  if (!EXTENSION.test(file.name)) throw invalid('file', 'is not an .html, .htm, .mjml or .zip file')
  const isArchive = /\.zip$/i.test(file.name)
  const { source } = isArchive
    ? await unpackedEmail(services, workspaceId, file.bytes)
    : { source: decodeSource(file.bytes) }
  const named = oneLine(file.name.replace(EXTENSION, ''))
  const name = given.name?.trim() || findTitle(source.mjml || source.html) || named || 'Template'
  const checked = templates.create.body.safeParse({ ...given, name, ...source })
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw invalid(String(issue?.path[0] ?? 'file'), issue?.message ?? 'cannot be used')
}
