import { roomForContacts } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { normalizeEmail } from './address.ts'
import { erasedKeys, findErasureMarks, leaveAgain } from './erasure/erased-store.ts'
import { type Addition, type FoundContact, insertFound, knownKeys, suppressedKeys } from './origins-store.ts'
import { restoreSuppressions } from './suppressions/retained-suppressions.ts'

/** An address or number found on a page, and where. */
export interface CrawlFinding {
  value: string
  personName: string
  organization: string
  sourceUrl: string
  context: string
  foundAt: Date
}

export interface AddedCounts {
  /** Put on the list. */
  added: number
  /** On it already. */
  known: number
  suppressed: number
  /** No address that can be stored, or beyond the plan's limit. */
  refused: number
}

const NAME_LENGTH = 200

function toFoundContact(kind: 'email' | 'phone', found: CrawlFinding): FoundContact | undefined {
  const [number = '', extension] = found.value.split(';ext=')
  const email = kind === 'email' ? normalizeEmail(found.value) : undefined
  if (email && 'reason' in email) return undefined
  const attributes = {
    ...(found.organization && { organization: found.organization.slice(0, NAME_LENGTH) }),
    ...(kind === 'phone' && extension && { extension }),
  }
  return {
    key: email?.key ?? number,
    email: email?.address ?? null,
    phone: email ? null : number,
    name: found.personName.slice(0, NAME_LENGTH),
    attributes,
    sourceUrl: found.sourceUrl,
    foundAt: found.foundAt,
    evidence: found.context,
  }
}

/** Adds one slice of what was found to a list, in one transaction. `limit`: contacts the plan keeps, null without one. */
export function addFound(
  { db, config }: Pick<Services, 'db' | 'config'>,
  workspaceId: string,
  kind: 'email' | 'phone',
  slice: CrawlFinding[],
  addition: Addition,
): Promise<AddedCounts> {
  const contacts = new Map<string, FoundContact>()
  let refused = 0
  let doubles = 0
  for (const found of slice) {
    const contact = toFoundContact(kind, found)
    if (!contact) refused++
    else if (contacts.has(contact.key)) doubles++
    else contacts.set(contact.key, contact)
  }
  return db.transaction().execute(async (db) => {
    const keys = [...contacts.keys()]
    const marks = await findErasureMarks(db, workspaceId)
    const suppressed = await suppressedKeys(db, workspaceId, kind, keys)
    if (marks.erased)
      for (const key of await erasedKeys(db, config, workspaceId, kind === 'email' ? 'email' : 'whatsapp', keys))
        suppressed.add(key)
    const free = [...contacts.values()].filter(({ key }) => !suppressed.has(key))
    const rows = await withinLimit(db, workspaceId, kind, free)
    const added = await insertFound(db, workspaceId, kind, rows, addition)
    if (marks.left)
      await leaveAgain(
        db,
        config,
        workspaceId,
        rows.map(({ key }) => key),
      )
    return {
      added,
      known: rows.length - added + doubles,
      suppressed: suppressed.size,
      refused: refused + free.length - rows.length,
    }
  })
}

/** What the plan has room for; contacts that exist already are always within. */
async function withinLimit(
  db: Db,
  workspaceId: string,
  kind: 'email' | 'phone',
  rows: FoundContact[],
): Promise<FoundContact[]> {
  let room = await roomForContacts(db, workspaceId)
  if (room === null || room >= rows.length) return rows
  const known = await knownKeys(
    db,
    workspaceId,
    kind,
    rows.map((row) => row.key),
  )
  return rows.filter(({ key }) => known.has(key) || (room !== null && room-- > 0))
}

/** Suppressions of a deleted account hold again for everybody who returned by a crawl job. Call it once all slices are in. */
export function holdAgain({ db, config }: Pick<Services, 'db' | 'config'>, workspaceId: string): Promise<unknown> {
  return restoreSuppressions(db, config, workspaceId)
}
