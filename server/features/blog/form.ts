import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { CONTENT_LIMIT, PICTURE_LIMIT, PostForm } from '#contracts/blog.ts'
import { invalid, Refusal } from '#server/platform/http/refusal.ts'

const MEGABYTE = 1024 * 1024

export interface Form {
  values: Record<string, string | string[]>
  file: { name: string; bytes: Buffer } | undefined
}

function tooLarge(field: string, limit: number): Refusal {
  const message = `is larger than ${limit / MEGABYTE} MB`
  return new Refusal(413, 'too_large', `${field} ${message}`, { details: [{ field, message }] })
}

async function bytesOf(part: MultipartFile, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of part.file) chunks.push(chunk as Buffer)
  if (part.file.truncated) throw tooLarge(part.fieldname, limit)
  return Buffer.concat(chunks)
}

async function readParts(request: FastifyRequest, fileField: string, limit: number): Promise<Form> {
  const form: Form = { values: {}, file: undefined }
  const limits = { fileSize: limit, fieldSize: CONTENT_LIMIT * 4, fields: 60, parts: 61 }
  for await (const part of request.parts({ limits })) {
    const name = part.fieldname.replace(/\[\]$/, '').slice(0, 100)
    if (part.type === 'file') {
      if (part.fieldname !== fileField) throw invalid(name, 'is not a file that belongs here')
      const bytes = await bytesOf(part, limit)
      // A form sends an empty file where none was chosen.
      if (bytes.length > 0 || part.filename) form.file = { name: part.filename, bytes }
    } else if (part.valueTruncated) throw tooLarge(name, CONTENT_LIMIT * 4)
    else {
      const before = form.values[name]
      const value = String(part.value)
      form.values[name] = before === undefined ? value : [before, value].flat()
    }
  }
  return form
}

/** The fields and the one file of a form. Throws Refusal: 413 for a larger file, 400 for a file under another name. */
export async function readForm(request: FastifyRequest, fileField: string, limit = PICTURE_LIMIT): Promise<Form> {
  return readParts(request, fileField, limit).catch((error) => {
    // What is still coming is let go unread, so that the answer reaches a client that is busy sending.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  })
}

const tagsOf = (given: string | string[]) => {
  const seen = new Map<string, string>()
  for (const tag of [given].flat().flatMap((text) => text.split(','))) {
    const trimmed = tag.trim()
    if (trimmed && !seen.has(trimmed.toLowerCase())) seen.set(trimmed.toLowerCase(), trimmed)
  }
  return [...seen.values()]
}

export const REQUIRED = 'Title and content are required fields'

/** The checked fields of the post form. Throws Refusal 400 naming the field. */
export function postFormOf({ values }: Form): PostForm {
  const { tags, ...rest } = values
  const plain = Object.fromEntries(
    // An empty field of a form is one that says nothing, but for those that may be emptied.
    Object.entries(rest).filter(([name, value]) => value !== '' || EMPTIED.has(name)),
  )
  const missing = ['title', 'content'].filter((name) => !String(plain[name] ?? '').trim())
  if (missing.length > 0)
    throw new Refusal(400, 'invalid', REQUIRED, {
      details: missing.map((field) => ({ field, message: 'is required' })),
    })
  const checked = PostForm.safeParse({ ...plain, ...(tags !== undefined && { tags: tagsOf(tags) }) })
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  if (issue?.code === 'unrecognized_keys') throw invalid(issue.keys[0] ?? 'form', 'is not a known field')
  throw invalid(String(issue?.path[0] ?? 'form'), issue?.message ?? 'cannot be used')
}

const EMPTIED = new Set(['metaTitle', 'metaDescription', 'authorName', 'coverImage'])
