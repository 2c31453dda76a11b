import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { BounceMailbox, BounceSourceKind } from '#contracts/bounces/bounces.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { BounceSources } from '#server/platform/db/types.ts'

export type SourceRow = Omit<Selectable<BounceSources>, 'kind'> & { kind: BounceSourceKind }

/** The sources of a workspace in order of ids, after `after`. */
export async function sourcePage(
  db: Db,
  workspaceId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<SourceRow[]> {
  const rows = await db
    .selectFrom('bounceSources')
    .where('workspaceId', '=', workspaceId)
    .where('id', '>', after ?? '0')
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows as SourceRow[]
}

/** A source of the workspace; `lock` holds it until the transaction ends. */
export async function sourceById(
  db: Db,
  workspaceId: string,
  id: string,
  { lock = false } = {},
): Promise<SourceRow | undefined> {
  const query = db.selectFrom('bounceSources').where('workspaceId', '=', workspaceId).where('id', '=', id).selectAll()
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  return row as SourceRow | undefined
}

/** The source of a kind that an address of ours names. */
export async function sourceByKind(db: Db, kind: BounceSourceKind, id: string): Promise<SourceRow | undefined> {
  const row = await db
    .selectFrom('bounceSources')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .selectAll()
    .executeTakeFirst()
  return row as SourceRow | undefined
}

/** Until the end of the transaction nobody else adds a source to the workspace. */
export async function lockSources(db: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bounce-sources:${workspaceId}`}, 0))`.execute(db)
}

/** Adds a source; `seal` encrypts its secret, bound to its id. Returns the id. */
export async function insertSource(
  db: Db,
  workspaceId: string,
  { kind, name }: { kind: BounceSourceKind; name: string },
  seal: (id: string) => string,
): Promise<string> {
  const { id } = await db
    .insertInto('bounceSources')
    .values({ workspaceId, kind, name, secretEncrypted: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('bounceSources')
    .set({ secretEncrypted: seal(id) })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  return id
}

/** Changes the name of a source, or the encrypted secret of it. What it received before says nothing of a new secret. */
export async function updateSource(
  db: Db,
  workspaceId: string,
  id: string,
  { name, sealed }: { name?: string | undefined; sealed?: string | undefined },
): Promise<void> {
  if (name === undefined && sealed === undefined) return
  await db
    .updateTable('bounceSources')
    .set({
      ...(name !== undefined && { name }),
      ...(sealed !== undefined && {
        secretEncrypted: sealed,
        receivedAt: sql<Date>`case when kind = 'imap' then received_at end`,
      }),
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a source. Returns its name. */
export async function deleteSource(db: Db, workspaceId: string, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('bounceSources')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Notes events of a source in the transaction that applies them. Returns the keys of those that never came before. */
export async function noteEvents(
  db: Db,
  { workspaceId, id }: Pick<SourceRow, 'workspaceId' | 'id'>,
  keys: string[],
): Promise<Set<string>> {
  const byHash = new Map(keys.map((key) => [createHash('sha256').update(key).digest('hex'), key]))
  // In order, so that two requests with the same events wait for each other and never in a circle.
  const hashes = [...byHash.keys()].sort()
  const { rows } = await sql<{ hash: string }>`
    insert into bounce_events (workspace_id, source_id, event_key)
    select ${workspaceId}, ${id}, decode(hash, 'hex') from unnest(${hashes}::text[]) with ordinality as given (hash, place) order by place
    on conflict do nothing returning encode(event_key, 'hex') as hash`.execute(db)
  return new Set(rows.map(({ hash }) => byHash.get(hash) ?? ''))
}

/** Notes that something with a valid signature came. A burst would write the row for each: once in ten seconds says as much. */
export async function noteReceived(db: Db, { workspaceId, id }: Pick<SourceRow, 'workspaceId' | 'id'>): Promise<void> {
  await sql`update bounce_sources set received_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and (received_at is null or received_at < now() - interval '10 seconds')`.execute(
    db,
  )
}

/** What is stored of a mailbox: how it is reached, and where its reading stands. */
export type StoredMailbox = BounceMailbox & { cursor?: string | undefined }

export const readMailbox = ({ settings }: SourceRow): StoredMailbox => settings as unknown as StoredMailbox

/** Stores how the mailbox of a source is reached; it is read at once, from its beginning. */
export async function setMailbox(db: Db, workspaceId: string, id: string, mailbox: BounceMailbox): Promise<void> {
  await db
    .updateTable('bounceSources')
    .set({ settings: JSON.stringify(mailbox), trouble: '', dueAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Whether the time of any mailbox has come. */
export const isAnyMailboxDue = sql<boolean>`(select min(due_at) from bounce_sources) <= now()`

/** A mailbox that is looked into is left alone by others for so long. */
const LEASE_SECONDS = 300

/**
 * Takes up to `limit` mailboxes whose time has come, one of a workspace and none of those that are `busy`. Workspaces take turns: `had` are
 * those that had theirs, the latest last, and go after all others.
 */
export async function takeMailboxes(
  db: Db,
  limit: number,
  { busy, had }: { busy: string[]; had: string[] },
): Promise<SourceRow[]> {
  if (limit <= 0) return []
  const { rows } = await sql<SourceRow>`
    update bounce_sources set due_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where (workspace_id, id) in (
      select workspace_id, id from (
        select distinct on (workspace_id) workspace_id, id, due_at from bounce_sources
        where due_at <= now() and workspace_id <> all(${busy}::bigint[]) order by workspace_id, due_at
      ) as due order by coalesce(array_position(${had}::bigint[], workspace_id), 0), due_at limit ${limit}) and due_at <= now()
    returning *`.execute(db)
  return rows
}

/** Notes how a look into a mailbox went, where its reading stands (undefined: as before) and when the next is due; of a mailbox that was changed meanwhile, nothing. */
export async function noteLook(
  db: Db,
  { workspaceId, id, settings, secretEncrypted }: SourceRow,
  { trouble, cursor, seconds }: { trouble: string; cursor: string | undefined; seconds: number },
): Promise<void> {
  const read = cursor === undefined ? sql`settings` : sql`settings || jsonb_build_object('cursor', ${cursor}::text)`
  await sql`update bounce_sources set trouble = ${trouble}, settings = ${read}, due_at = now() + make_interval(secs => ${seconds})
    where workspace_id = ${workspaceId} and id = ${id} and secret_encrypted = ${secretEncrypted}
      and settings = ${JSON.stringify(settings)}::jsonb`.execute(db)
}

/** Notes that a report came for an email of the workspace: its listeners receive. */
export async function noteListened(db: Db, workspaceId: string): Promise<void> {
  await sql`update bounce_sources set received_at = now()
    where workspace_id = ${workspaceId} and kind = 'listener' and (received_at is null or received_at < now() - interval '10 seconds')`.execute(
    db,
  )
}

/** Whose a message is; undefined: it is not there any more. */
export async function workspaceOfMessage(db: Db, messageId: string): Promise<string | undefined> {
  const row = await db.selectFrom('messages').where('id', '=', messageId).select('workspaceId').executeTakeFirst()
  return row?.workspaceId
}

/** Forgets events so old that no service repeats them. */
export async function deleteOldEvents(db: Db, days: number): Promise<void> {
  await sql`delete from bounce_events where at < now() - make_interval(days => ${days})`.execute(db)
}
