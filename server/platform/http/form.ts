import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type FileRule, type FormFile, fileRule, formFields, type StoredFile } from '#contracts/form-file.ts'
import { findProblems, labelField, toSentence } from '#contracts/invalid-input.ts'
import { findTextProblem } from './input-text.ts'
import { invalid, Refusal } from './refusal.ts'

const MB = 1024 * 1024
/** What a form adds around its file at most, in bytes. */
const OVERHEAD = MB
/** Bytes of one text field of a form that is held in memory, and how many fields it may have. */
const LARGE = { fieldSize: 8 * MB, fields: 60, parts: 61 }
const MAX_NAME = 240

const largest = ({ max }: FileRule) => (typeof max === 'number' ? max : Math.max(...Object.values(max)))

function tooLarge(field: string, text: string, limit: number): Refusal {
  const size = limit < 1024 * MB ? `${limit / MB} MB` : `${limit / MB / 1024} GB`
  return new Refusal(413, 'too_large', text, { details: [{ field, message: `is larger than ${size}` }] })
}

/** The last part of a file's name on one line; empty where it has none. */
function plainName(name: string | undefined): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .toWellFormed()
    .replace(/[\p{C}\u2028\u2029]+/gu, ' ')
    .trim()
  return Array.from(plain).slice(0, MAX_NAME).join('')
}

/** Bytes one file may have. Throws Refusal 415. */
function findSizeLimit(field: string, rule: FileRule, file: { name: string; type: string }): number {
  if (rule.findMax) return rule.findMax(file)
  if (typeof rule.max === 'number') return rule.max
  const limit = Object.hasOwn(rule.max, file.type) ? rule.max[file.type] : undefined
  if (limit === undefined)
    throw new Refusal(
      415,
      'unsupported_media_type',
      rule.wrongType ?? `${labelField(field)} has a type that is not accepted.`,
      {
        details: [{ field, message: 'has a type that is not accepted' }],
      },
    )
  return limit
}

/** The bytes of a file as they come. Throws Refusal 413 at the first beyond the limit. */
async function* bounded(part: MultipartFile, rule: FileRule, limit: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge(part.fieldname, rule.tooLarge(limit), limit)
    yield chunk
  }
}

interface Reading {
  fields: Record<string, z.core.$ZodType>
  values: Map<string, unknown>
  folder: string | undefined
  /** Paths of the files that were written; they are removed where the form is refused. */
  written: string[]
}

async function store(part: MultipartFile, file: { name: string; type: string }, rule: FileRule, reading: Reading) {
  if (reading.folder === undefined) throw new Error(`nobody said where ${part.fieldname} is to be stored`)
  await mkdir(reading.folder, { recursive: true })
  const path = join(reading.folder, randomUUID())
  reading.written.push(path)
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await pipeline(bounded(part, rule, findSizeLimit(part.fieldname, rule, file)), target)
  return { ...file, path, size: target.bytesWritten } satisfies StoredFile
}

/** A file held in memory; undefined for what a form sends where none was chosen. */
async function hold(part: MultipartFile, file: { name: string; type: string }, rule: FileRule) {
  const chunks: Buffer[] = []
  for await (const chunk of bounded(part, rule, findSizeLimit(part.fieldname, rule, file))) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (bytes.length > 0) return { ...file, bytes } satisfies FormFile
  if (file.name !== '') throw invalid(part.fieldname, 'is empty')
  return undefined
}

async function readFile(part: MultipartFile, reading: Reading): Promise<void> {
  const field = reading.fields[part.fieldname]
  const rule = field && fileRule(field)
  if (!rule) throw invalid(part.fieldname.slice(0, 100), 'is not a known field for a file')
  const file = {
    name: plainName(part.filename),
    type: part.mimetype.toLowerCase().split(';')[0]?.trim() ?? '',
  }
  const read = rule.isStored ? await store(part, file, rule, reading) : await hold(part, file, rule)
  if (read) reading.values.set(part.fieldname, read)
}

function readText(part: Exclude<Multipart, MultipartFile>, { fields, values }: Reading): void {
  // Forms name a field with several values `tags[]` too.
  const name = part.fieldname.replace(/\[\]$/, '')
  if (!Object.hasOwn(fields, name)) throw invalid(name.slice(0, 100), 'is not a known field')
  if (part.valueTruncated) {
    const message = 'is too long'
    throw new Refusal(413, 'too_large', toSentence(labelField(name), message), { details: [{ field: name, message }] })
  }
  const before = values.get(name)
  // A file counts more than a text of the same name.
  if (before !== undefined && typeof before === 'object' && !Array.isArray(before)) return
  values.set(name, before === undefined ? String(part.value) : [before, String(part.value)].flat())
}

async function readParts(request: FastifyRequest, reading: Reading): Promise<void> {
  const rules = Object.entries(reading.fields).flatMap(([name, field]) => {
    const rule = fileRule(field)
    return rule ? [{ name, rule }] : []
  })
  const fileSize = Math.max(0, ...rules.map(({ rule }) => largest(rule)))
  const isStored = rules.some(({ rule }) => rule.isStored)
  const [file] = rules
  // Said before the file has traveled in vain.
  if (file?.rule.isLengthChecked && Number(request.headers['content-length'] ?? 0) > fileSize + OVERHEAD)
    throw tooLarge(file.name, file.rule.tooLarge(fileSize), fileSize)
  // One byte more than the rule, which has the words.
  const limits = { fileSize: fileSize + 1, files: 1, ...(isStored ? {} : LARGE) }
  for await (const part of request.parts({ limits })) {
    // The parser hands it over as undefined, whatever its type says.
    if (typeof part.fieldname !== 'string')
      throw new Refusal(400, 'invalid', 'A part of the form has no name. Nothing was changed.')
    if (part.type === 'file') await readFile(part, reading)
    else readText(part, reading)
  }
}

/** Throws Refusal 400 for text that cannot be stored. Files are not looked into. */
function refuseText(fields: Iterable<[string, unknown]>): void {
  const texts = [...fields].filter(([, value]) => !(value instanceof Object && ('bytes' in value || 'path' in value)))
  const problem = findTextProblem(Object.fromEntries(texts))
  if (problem) throw invalid(problem.field || 'form', problem.message)
}

/** The fields of a form as their schema makes them. Throws Refusal 400 that names each wrong field. */
export function checkForm<F extends z.ZodType>(form: F, values: Map<string, unknown>): z.output<F> {
  refuseText(values)
  const result = form.safeParse(Object.fromEntries(values))
  if (result.success) {
    // JSON in a field may hold what its text does not show.
    refuseText(Object.entries(result.data as object))
    return result.data
  }
  const details = findProblems(result.error, Object.fromEntries(values)).map(({ field, message }) => ({
    field: field || 'form',
    message,
  }))
  const [first] = details
  const [issue] = result.error.issues
  const whole: unknown = issue?.code === 'custom' ? issue.params?.text : undefined
  const text =
    typeof whole === 'string' ? whole : toSentence(labelField(first?.field ?? 'form'), first?.message ?? 'is invalid')
  throw new Refusal(400, 'invalid', text, { details })
}

/** What went wrong while a file was on its way, as a Refusal where the form is to blame or the disk is full. */
function asRefusal(error: unknown, isStored: boolean): unknown {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (!isStored || error instanceof Refusal) return error
  if (code === 'ENOSPC')
    return new Refusal(
      507,
      'disk_full',
      'The server has no space for the file. Nothing was stored. Free some space, then upload it again.',
    )
  if (statusCode) return error
  return new Refusal(400, 'invalid', 'The upload was incomplete. Nothing was stored. Send it again.')
}

/**
 * Reads a form and checks it by the schema of its endpoint. Files that are not held in memory are written to `folder`.
 * Throws Refusal: 400 that names the field, 413 for what is too large, 415 for a file of a wrong type, 507 for a full
 * disk; no file stays behind then.
 */
export async function readForm<F extends z.ZodType>(
  form: F,
  request: FastifyRequest,
  folder?: string,
): Promise<z.output<F>> {
  const reading: Reading = { fields: formFields(form), values: new Map(), folder, written: [] }
  try {
    await readParts(request, reading)
    return checkForm(form, reading.values)
  } catch (error) {
    for (const path of reading.written) await rm(path, { force: true })
    // What is still coming is let go unread, so that the response reaches a client that is busy sending.
    request.raw.unpipe()
    request.raw.resume()
    throw asRefusal(error, folder !== undefined)
  }
}
