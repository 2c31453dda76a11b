import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { contacts } from '#contracts/contacts/contacts.ts'
import type { ImportJob } from '#contracts/contacts/imports.ts'
import type { suppressions } from '#contracts/contacts/suppressions.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller, FormReader } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import { invalid, notFound, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { isPhoneCountry } from '../address.ts'
import { readAskingPace } from '../confirmations/asking-pace.ts'
import { contactLimit } from '../contacts.ts'
import { defineFields } from '../fields/fields.ts'
import { fieldRules, fieldTitles } from '../fields/fields-store.ts'
import { queueImport } from '../jobs.ts'
import { requireLists } from '../lists/lists.ts'
import { attributeNames } from '../store.ts'
import { chooseDateFormats, chooseMapping, isBuiltIn, onlyAddresses, withAddresses } from './columns.ts'
import { FileRefused } from './file/refusal.ts'
import { deleteFile, storeFile } from './files-store.ts'
import { readAgreed, readImportConsent } from './import-consents.ts'
import * as store from './imports-store.ts'
import { type PreviewTask, previewBounded } from './preview-start.ts'
import { countUpload, importFolder } from './upload.ts'

const ERRORS_SHOWN = 1_000
const ERRORS_PAGE = 5_000
/** Imports of a workspace that have not ended, and the bytes of their files. */
const WAITING = { imports: 3, bytes: 4 * 2 ** 30 }
const RETRY_SECONDS = 30
/** So many of the newest contacts are asked which attributes are in use. */
export const NEWEST = 5_000

/** Looks into a file; nothing is stored. Columns named like a custom field are mapped to it. */
export async function previewImport(
  services: Services,
  workspaceId: string,
  form: FormReader<typeof contacts.importPreview>,
) {
  const release = countUpload(workspaceId)
  try {
    const { file } = await form(importFolder(services.config.dataDir))
    try {
      const seen = await lookInto(services.db, workspaceId, { path: file.path, counts: true })
      return { ...seen, confirmations: await readAskingPace(services, workspaceId) }
    } finally {
      await rm(file.path, { force: true })
    }
  } finally {
    release()
  }
}

async function lookInto(db: Db, workspaceId: string, task: PreviewTask) {
  try {
    const seen = await previewBounded(workspaceId, task)
    if (seen.total === 0) throw new FileRefused('The file has column names and no rows below them.')
    const { names } = await attributeNames(db, workspaceId, NEWEST)
    const defined = await fieldTitles(db, workspaceId)
    for (const column of seen.columns) {
      if (!Object.hasOwn(seen.mapping, column) || isBuiltIn(seen.mapping[column] ?? '')) continue
      const field = names.includes(column) ? column : defined.get(column.trim().toLowerCase())
      if (field !== undefined) seen.mapping[column] = field
    }
    return seen
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new Refusal(400, 'unreadable_file', error.message, { details: [{ field: 'file', message: error.message }] })
  }
}

/** The form of an import as it was read. */
type ImportForm = Pick<z.output<typeof contacts.import.form>, 'file'> & Partial<z.output<typeof contacts.import.form>>

/** What an import of another feature adds to it, in its transaction. */
interface Taking {
  read(folder: string): Promise<ImportForm>
  findTargetList(db: Db, form: ImportForm): Promise<string | null>
  taken?(db: Db, importId: string, mapping: store.Mapping): Promise<void>
  /** Its rows are suppressed for this reason, and no contacts. */
  suppress?: NonNullable<store.ImportRow['suppress']>
}

/** Takes a file, checks that it can be read and what its columns mean, and queues the import. Returns its id. */
export async function takeImport(
  services: Services,
  caller: Caller,
  request: FastifyRequest,
  taking: Taking,
): Promise<string> {
  const release = countUpload(caller.workspaceId)
  try {
    await requireRoom(services.db, caller.workspaceId, Number(request.headers['content-length'] ?? 0))
    return await takeFile(services, caller, taking)
  } finally {
    release()
  }
}

async function takeFile(services: Services, caller: Caller, taking: Taking): Promise<string> {
  const { read, findTargetList, taken } = taking
  const { db, config, queue } = services
  const { workspaceId } = caller
  const form = await read(importFolder(config.dataDir))
  const { file } = form
  const { suppress } = taking
  // The name is ours: nothing of it comes from outside.
  const filePath = basename(file.path)
  try {
    const seen = await lookInto(db, workspaceId, { path: file.path, counts: false })
    const fileName = file.name || 'file'
    const mapping = suppress
      ? onlyAddresses(chooseMapping(form.mapping, { ...seen, mapping: withAddresses(seen.mapping) }))
      : chooseMapping(form.mapping, seen)
    const consent = readImportConsent(form.consent, mapping, caller, fileName)
    const agreed = readAgreed(form, caller)
    const country = readCountry(form.country)
    const fields = await fieldRules(db, workspaceId, Object.values(mapping))
    const dateFormats = chooseDateFormats(form.dateFormats, { ...seen, mapping }, fields)
    await storeFile(db, workspaceId, filePath, file.path)
    return await db.transaction().execute(async (db) => {
      await requireRoom(db, workspaceId, file.size)
      const given = {
        listId: await findTargetList(db, form),
        fileName,
        filePath,
        fileSize: String(file.size),
        mapping,
        keep: form.keep ?? 'last',
        country,
        dateFormats,
        consent,
        agreed,
        contactLimit: suppress ? null : contactLimit(caller.plan),
        suppress: suppress ?? null,
      }
      const id = await store.insertImport(db, workspaceId, given)
      await defineFields(db, workspaceId, Object.values(mapping).filter(Boolean))
      await taken?.(db, id, mapping)
      await queueImport(queue, workspaceId, id, db)
      return id
    })
  } catch (error) {
    await deleteFile(db, workspaceId, filePath)
    throw error
  } finally {
    await rm(file.path, { force: true })
  }
}

function readCountry(text = ''): string | null {
  if (text !== '' && !isPhoneCountry(text.toUpperCase())) throw invalid('country', 'is not a country code, such as DE')
  return text.toUpperCase() || null
}

/** Throws Refusal 429 when the imports of a workspace that have not ended leave no room for one more of so many bytes. */
async function requireRoom(db: Db, workspaceId: string, bytes: number): Promise<void> {
  const { imports, size } = await store.unfinished(db, workspaceId)
  if (imports >= WAITING.imports || size + bytes > WAITING.bytes) {
    throw tooMany(
      `Your workspace has ${imports} imports that are not finished: ${WAITING.imports} may wait, with 4 GB of files. Nothing was stored. Upload the file again when one is done.`,
      RETRY_SECONDS,
    )
  }
}

/** The import of a form with a list of one's own. Returns its id. */
export const acceptImport = (
  services: Services,
  caller: Caller,
  given: { form: FormReader<typeof contacts.import>; request: FastifyRequest },
): Promise<string> =>
  takeImport(services, caller, given.request, {
    read: given.form,
    async findTargetList(db, { listId }) {
      if (!listId) return null
      await requireLists(db, caller.workspaceId, 'listId', [listId])
      return listId
    },
  })

/** The file of addresses that are to get nothing any more. Returns the id of its import. */
export function acceptSuppressions(
  services: Services,
  caller: Caller,
  { form, request }: { form: FormReader<typeof suppressions.import>; request: FastifyRequest },
): Promise<string> {
  const taking: Taking = {
    async read(folder) {
      const { reason = 'import', ...given } = await form(folder)
      taking.suppress = reason
      return given
    },
    findTargetList: async () => null,
  }
  return takeImport(services, caller, request, taking)
}

function present(row: store.ImportRow, errors: { row: string; reason: string }[]): ImportJob {
  return {
    id: row.id,
    listId: row.listId,
    target: row.suppress ? 'suppressions' : 'contacts',
    fileName: row.fileName,
    state: row.state,
    total: Number(row.total),
    imported: Number(row.imported),
    updated: Number(row.updated),
    skipped: Number(row.skipped),
    duplicates: Number(row.duplicates),
    keep: row.keep,
    country: row.country,
    invalidPhones: Number(row.invalidPhones),
    dateFormats: row.dateFormats,
    invalidDates: Number(row.invalidDates),
    progress: row.progress,
    errors: errors.map((error) => ({ row: Number(error.row), reason: error.reason })),
    errorCount: Number(row.errorCount),
    consents: row.consent ? Number(row.consents) : null,
    agreed: row.agreed,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

/** One import with its first bad rows. */
export async function showImport(db: Db, workspaceId: string, id: string): Promise<ImportJob> {
  const row = await store.importById(db, workspaceId, id)
  if (!row) throw notFound('Import')
  return present(row, Number(row.errorCount) === 0 ? [] : await store.badRows(db, workspaceId, id, -1, ERRORS_SHOWN))
}

/** Imports, newest first, without their bad rows. */
export async function listImports(db: Db, workspaceId: string, page: { limit: number; before?: string }) {
  const rows = await store.importPage(db, workspaceId, { ...page, limit: page.limit + 1 })
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  const items = shown.map((row) => present(row, []))
  return { items, nextCursor }
}

/** The bad rows of an import as pages of rows; the last row says how many more there were. */
export async function* exportErrors(
  db: Db,
  workspaceId: string,
  { id, errorCount }: ImportJob,
): AsyncGenerator<string[][]> {
  yield [['row', 'reason', 'line']]
  let listed = 0
  for (let after = -1; ; ) {
    const rows = await store.badRows(db, workspaceId, id, after, ERRORS_PAGE)
    listed += rows.length
    yield rows.map((row) => [row.row, row.reason, row.line])
    if (rows.length < ERRORS_PAGE) break
    after = Number(rows.at(-1)?.row)
  }
  const more = errorCount - listed
  if (more > 0) yield [['', `${more.toLocaleString('en')} more bad rows were counted and are not listed`, '']]
}
