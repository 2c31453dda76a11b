import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { CacheablePages } from '#server/platform/http/pages/cached-pages.ts'
import { countSetting } from '#server/platform/settings.ts'

const KEY = 'blog.version'

/** Marks the pages of posts that any process has cached as outdated, in the transaction that changes posts. */
export const outdatePages = (db: Db): Promise<void> => countSetting(db, KEY)

/** Changes with every write, and when a scheduled post's time has come: it is the newest one then. */
async function readVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select coalesce((select value from settings where key = ${KEY}), '0') || ' ' || coalesce((
      select max(published_at) from posts where state = 'published' and published_at <= now())::text, '') as version`.execute(
    db,
  )
  return rows[0]?.version ?? ''
}

/**
 * Asks for all who ask at once, as databases commit for groups: a caller who comes while a question is on its way gets the
 * answer to the next one, so that nobody gets the state of a moment before they asked.
 */
function asked<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const begin = () => {
    const one = ask().finally(() => {
      if (running === one) running = undefined
    })
    running = one
    return one
  }
  return () => {
    if (!running) return begin()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}

/** The pages of posts and the list of them, which are the same for everybody: cached until any post changes. */
export function blogPages(db: Db): CacheablePages {
  return {
    isCacheable: (path) => /^\/(blogs|blog\/[\w%-]+)$/.test(path),
    version: asked(() => readVersion(db)),
  }
}
