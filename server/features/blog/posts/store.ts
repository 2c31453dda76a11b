import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import type { Posts } from '#server/platform/db/types.ts'
import { outdatePages } from '../public/cached-pages.ts'

export type PostRow = Selectable<Posts>
export type PostFields = Partial<
  Pick<
    PostRow,
    | 'slug'
    | 'title'
    | 'metaTitle'
    | 'metaDescription'
    | 'content'
    | 'words'
    | 'category'
    | 'tags'
    | 'authorName'
    | 'coverImage'
    | 'state'
    | 'publishedAt'
  >
>

interface PostFilter {
  limit: number
  /** Drafts and scheduled posts too, in the order they were begun. */
  drafts: boolean
  q?: string
  title?: string
  category?: string
  tag?: string
  /** The last post of the page before. */
  after?: { id: string; publishedAt: string }
}

const isPublic = sql<boolean>`p.state = 'published' and p.published_at <= now()`

function conditions(filter: PostFilter) {
  const all = [filter.drafts ? sql`true` : isPublic]
  for (const word of (filter.q ?? '').split(/\s+/).filter(Boolean).slice(0, 8))
    all.push(sql`(lower(p.title) like ${holding(word)} or lower(p.words) like ${holding(word)})`)
  if (filter.title) all.push(sql`lower(p.title) like ${holding(filter.title)}`)
  if (filter.category) all.push(sql`lower(p.category) = ${filter.category.toLowerCase()}`)
  if (filter.tag)
    all.push(sql`exists (select 1 from unnest(p.tags) tag where lower(tag) = ${filter.tag.toLowerCase()})`)
  return sql.join(all, sql` and `)
}

/** Posts, newest first, without their content. */
export async function postPage(db: Db, filter: PostFilter): Promise<(PostRow & { place: string })[]> {
  const { after } = filter
  const place = !after
    ? sql`true`
    : filter.drafts
      ? sql`p.id < ${after.id}`
      : sql`(p.published_at, p.id) < (${after.publishedAt}, ${after.id})`
  const order = filter.drafts ? sql`p.id desc` : sql`p.published_at desc, p.id desc`
  // As text: PostgreSQL's times are finer than JavaScript's, and a page would leave out what came in the same millisecond.
  const { rows } = await sql<PostRow & { place: string }>`
    select p.*, '' as content, to_char(coalesce(p.published_at, p.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place
    from posts p where ${conditions(filter)} and ${place} order by ${order} limit ${filter.limit}`.execute(db)
  return rows
}

/** How many posts a filter finds. */
export async function countPosts(db: Db, filter: PostFilter): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from posts p where ${conditions(filter)}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

// Any number: everything that writes posts asks for the same one.
const WRITING = 7_310_403

/** A transaction in which nobody else writes posts: a slug found free stays free, a version read stays the last. */
export function writing<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${WRITING})`.execute(db)
    const done = await work(db)
    await outdatePages(db)
    return done
  })
}

export async function postById(db: Db, id: string): Promise<PostRow | undefined> {
  return db.selectFrom('posts').where('id', '=', id).selectAll().executeTakeFirst()
}

/** A post by any slug it ever had. */
export async function postBySlug(db: Db, slug: string): Promise<PostRow | undefined> {
  return db
    .selectFrom('postSlugs')
    .innerJoin('posts', 'posts.id', 'postSlugs.postId')
    .where('postSlugs.slug', '=', slug)
    .selectAll('posts')
    .executeTakeFirst()
}

/** Other published posts by how many tags they share, then category, then how new they are. */
export async function relatedPosts(db: Db, post: PostRow, limit: number): Promise<PostRow[]> {
  const { rows } = await sql<PostRow>`
    select p.*, '' as content from posts p where ${isPublic} and p.id <> ${post.id}
    order by cardinality(array(select unnest(p.tags) intersect select unnest(${post.tags}::text[]))) desc,
      p.category = ${post.category} desc, p.published_at desc, p.id desc limit ${limit}`.execute(db)
  return rows
}

/** The post that has, or had, a slug. */
export async function ownerOfSlug(db: Db, slug: string): Promise<string | undefined> {
  const row = await db.selectFrom('postSlugs').where('slug', '=', slug).select('postId').executeTakeFirst()
  return row?.postId
}

export async function insertPost(
  db: Db,
  fields: PostFields & Pick<PostRow, 'slug' | 'title' | 'content'>,
): Promise<PostRow> {
  const row = await db.insertInto('posts').values(fields).returningAll().executeTakeFirstOrThrow()
  await keepSlug(db, row.id, row.slug)
  return row
}

export async function updatePost(db: Db, id: string, fields: PostFields): Promise<PostRow> {
  const row = await db
    .updateTable('posts')
    .set({ ...fields, version: sql<number>`version + 1`, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepSlug(db, row.id, row.slug)
  return row
}

function keepSlug(db: Db, postId: string, slug: string) {
  return db
    .insertInto('postSlugs')
    .values({ slug, postId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Gives back the slugs a post had before: nobody can have saved an address that never led anywhere. */
export async function forgetOtherSlugs(db: Db, { id, slug }: Pick<PostRow, 'id' | 'slug'>): Promise<void> {
  await db.deleteFrom('postSlugs').where('postId', '=', id).where('slug', '<>', slug).execute()
}

/** Deletes a post with its slugs. Returns what it was. */
export async function deletePost(db: Db, id: string): Promise<PostRow | undefined> {
  return db.deleteFrom('posts').where('id', '=', id).returningAll().executeTakeFirst()
}

/** Slugs and times of all published posts, newest first: what feeds and the site map need to name them. */
export async function publishedPosts(db: Db, limit: number) {
  const { rows } = await sql<PostRow>`
    select p.* from posts p where ${isPublic} order by p.published_at desc, p.id desc limit ${limit}`.execute(db)
  return rows
}
