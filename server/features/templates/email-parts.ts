import { BLOCK_LIMIT, type Brand, type SavedBlock } from '#contracts/templates/parts.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import * as store from './email-parts-store.ts'
import { renderCanvasBounded } from './rendering/renderer.ts'

type PartServices = Pick<Services, 'db'>

/** What stands around a condition: Liquid between elements, which the MJML engine leaves as it is. */
const RAW = /^(?:\s*<mj-raw>[^<]*<\/mj-raw>)?\s*<mj-([a-z-]+)/i
const ROWS = new Set(['section', 'wrapper', 'hero'])

const present = (row: store.BlockRow): SavedBlock => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Whether every element that is opened is closed: the engine closes what is left open by itself, wherever that is. */
function isBalanced(mjml: string): boolean {
  const open: string[] = []
  const begin = /<(\/?)(mj-[a-z-]+)/gi
  for (let tag = begin.exec(mjml); tag; tag = begin.exec(mjml)) {
    const end = endOfTag(mjml, begin.lastIndex)
    // A tag that does not end takes in everything after it.
    if (end < 0) return false
    begin.lastIndex = end
    const name = (tag[2] as string).toLowerCase()
    if (tag[1]) {
      if (open.pop() !== name) return false
    } else if (mjml[end - 1] !== '/') open.push(name)
  }
  return open.length === 0
}

/** Where the bracket stands that closes a tag, past its quoted values; -1 when none does. */
function endOfTag(mjml: string, from: number): number {
  for (let at = from; at >= 0 && at < mjml.length; at++) {
    const char = mjml[at]
    if (char === '>') return at
    if (char === '"' || char === "'") {
      at = mjml.indexOf(char, at + 1)
      if (at < 0) return -1
    }
  }
  return -1
}

/** Throws Refusal 400 for what could not stand in an email. */
async function checkBlock(workspaceId: string, mjml: string): Promise<void> {
  const tag = RAW.exec(mjml)?.[1]?.toLowerCase()
  if (!tag || ['body', 'head', 'include'].includes(tag))
    throw invalid('mjml', 'is not an MJML element of an email body, such as a section, a text or a button')
  if (!isBalanced(mjml)) throw invalid('mjml', 'has an element that is not closed')
  const row = ROWS.has(tag) ? mjml : tag === 'column' || tag === 'group' ? section(mjml) : section(wrapInColumn(mjml))
  const { problems } = await renderCanvasBounded({ workspaceId }, `<mjml><mj-body>${row}</mj-body></mjml>`, false)
  const error = problems.find(({ severity }) => severity === 'error')
  if (error) throw invalid('mjml', `cannot be shown: ${error.message}`)
}
const section = (inner: string) => `<mj-section>${inner}</mj-section>`
const wrapInColumn = (inner: string) => `<mj-column>${inner}</mj-column>`

/** The saved blocks of a workspace, newest first. */
export async function listBlocks({ db }: PartServices, workspaceId: string) {
  return wholeList((await store.listBlocks(db, workspaceId, BLOCK_LIMIT)).map(present))
}

/** Keeps a piece of an email. Throws Refusal: 400 for what is none, 409 when there are too many. */
export async function createBlock(
  { db }: PartServices,
  workspaceId: string,
  block: { name: string; mjml: string },
): Promise<SavedBlock> {
  await checkBlock(workspaceId, block.mjml)
  const row = await db.transaction().execute((db) => store.insertBlock(db, workspaceId, block, BLOCK_LIMIT))
  if (!row) throw conflict('too_many_blocks', `There are ${BLOCK_LIMIT} saved blocks. Remove one you no longer need.`)
  return present(row)
}

/** Throws Refusal 404. */
export async function renameBlock(
  { db }: PartServices,
  workspaceId: string,
  id: string,
  name: string,
): Promise<SavedBlock> {
  const row = await store.renameBlock(db, workspaceId, id, name)
  if (!row) throw notFound('Block')
  return present(row)
}

/** Throws Refusal 404. Emails the block was put into have a copy of their own. */
export async function removeBlock({ db }: PartServices, workspaceId: string, id: string): Promise<void> {
  if (!(await store.deleteBlock(db, workspaceId, id))) throw notFound('Block')
}

export async function setBrand({ db }: PartServices, workspaceId: string, brand: Brand): Promise<Brand> {
  await store.setBrand(db, workspaceId, brand)
  return brand
}
