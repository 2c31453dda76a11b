import { sql } from 'kysely'
import type { FormField } from '#contracts/contacts/forms.ts'
import type { Db } from '#server/platform/db/database.ts'

export interface FormRow {
  id: string
  workspaceId: string
  name: string
  slug: string
  heading: string
  description: string
  button: string
  fields: FormField[]
  listIds: string[]
  tagIds: string[]
  optin: 'single' | 'double'
  consentWording: string
  wordingVersion: number
  successText: string
  redirectUrl: string | null
  allowedOrigins: string[]
  proofOfWork: boolean
  views: string
  submissions: string
  confirmations: string
  createdAt: Date
  updatedAt: Date
}

/** What of a form its owner writes. */
export type FormChange = Omit<
  FormRow,
  'id' | 'workspaceId' | 'wordingVersion' | 'views' | 'submissions' | 'confirmations' | 'createdAt' | 'updatedAt'
>

const toValues = ({ fields, ...rest }: Partial<FormChange>) => ({
  ...rest,
  ...(fields && { fields: JSON.stringify(fields) }),
})

/** Forms in the order they were made, after an id. */
export async function formPage(
  db: Db,
  workspaceId: string,
  { limit, after = '0' }: { limit: number; after?: string },
): Promise<FormRow[]> {
  const query = db.selectFrom('forms').selectAll().where('workspaceId', '=', workspaceId).where('id', '>', after)
  return (await query.orderBy('id').limit(limit).execute()) as unknown as FormRow[]
}

export async function formById(db: Db, workspaceId: string, id: string): Promise<FormRow | undefined> {
  const query = db.selectFrom('forms').selectAll().where('workspaceId', '=', workspaceId).where('id', '=', id)
  return (await query.executeTakeFirst()) as unknown as FormRow | undefined
}

/** The form of a hosted page, as long as its account is not suspended. */
export async function formBySlug(db: Db, slug: string): Promise<FormRow | undefined> {
  const { rows } = await sql<FormRow>`select f.* from forms f where f.slug = ${slug}
    and exists (select 1 from users u where u.workspace_id = f.workspace_id and u.suspended_at is null) limit 1`.execute(
    db,
  )
  return rows[0]
}

export async function countForms(db: Db, workspaceId: string): Promise<number> {
  const { n } = await db
    .selectFrom('forms')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Takes a slug until the transaction ends. Returns whether no other form has it. */
export async function holdSlug(db: Db, slug: string, own: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`form slug ${slug}`}, 0))`.execute(db)
  const { rows } = await sql`select from forms where slug = ${slug} and id <> ${own} limit 1`.execute(db)
  return rows.length === 0
}

/** Inserts a form and returns its id. */
export async function insertForm(db: Db, workspaceId: string, form: FormChange): Promise<string> {
  const { fields, ...rest } = form
  const values = { workspaceId, ...rest, fields: JSON.stringify(fields) }
  return (await db.insertInto('forms').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** Changes a form; another wording of the consent is its next version. */
export async function updateForm(db: Db, workspaceId: string, id: string, change: Partial<FormChange>): Promise<void> {
  const { consentWording } = change
  await db
    .updateTable('forms')
    .set({
      ...toValues(change),
      ...(consentWording !== undefined && {
        wordingVersion: sql<number>`wording_version + case when consent_wording = ${consentWording} then 0 else 1 end`,
      }),
      updatedAt: sql<Date>`now()`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a form; returns whether it existed. */
export async function deleteForm(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const query = db.deleteFrom('forms').where('workspaceId', '=', workspaceId).where('id', '=', id)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

/** Which of the lists of a form are there, and whether one of them is double opt-in. */
export async function findLists(
  db: Db,
  workspaceId: string,
  listIds: string[],
): Promise<{ ids: string[]; names: string[]; isDouble: boolean }> {
  const rows = await db
    .selectFrom('lists')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', listIds)
    .select(['id', 'name', 'optin'])
    .orderBy('id')
    .execute()
  return {
    ids: rows.map(({ id }) => id),
    names: rows.map(({ name }) => name),
    isDouble: rows.some(({ optin }) => optin === 'double'),
  }
}

export async function countSubmission(db: Db, { workspaceId, id }: FormRow): Promise<void> {
  await sql`update forms set submissions = submissions + 1 where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )
}

/** Adds to the views of forms, by id. */
export async function addViews(db: Db, views: Map<string, number>): Promise<void> {
  await sql`update forms set views = views + seen.n
    from unnest(${[...views.keys()]}::bigint[], ${[...views.values()]}::int[]) as seen (id, n) where forms.id = seen.id`.execute(
    db,
  )
}

/** Counts somebody who confirmed, or was subscribed at once. */
export async function countConfirmation(db: Db, workspaceId: string, id: string): Promise<void> {
  await sql`update forms set confirmations = confirmations + 1 where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )
}
