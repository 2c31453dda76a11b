import { z } from 'zod'
import { TimelineCursor, type TimelineEntry } from '#contracts/contacts/timeline.ts'
import type { Db } from '#server/platform/db/database.ts'
import { showWithOrigins } from '../contacts.ts'
import { showTimeline } from './timeline.ts'
import { listNames } from './timeline-store.ts'

const PAGE = 200
/** The file says so where there are more entries. */
const MAX_ENTRIES = 10_000

/** What happened with a contact, newest first, and whether that is all of it. */
async function readTimeline(db: Db, workspaceId: string, id: string) {
  const entries: TimelineEntry[] = []
  let place: string | null = null
  do {
    const cursor: z.output<typeof TimelineCursor> | undefined =
      place === null ? undefined : z.decode(TimelineCursor, place)
    const { items, nextCursor } = await showTimeline(db, workspaceId, id, { limit: PAGE, cursor })
    entries.push(...items)
    place = nextCursor
  } while (place !== null && entries.length < MAX_ENTRIES)
  return { timeline: entries, isTimelineComplete: place === null }
}

/**
 * Everything that is known of one contact, as the text of a JSON file: fields, lists and tags by name, sources, and what
 * happened. Throws Refusal 404.
 */
export async function exportContact(db: Db, workspaceId: string, id: string): Promise<string> {
  const { lists, tags, ...contact } = await showWithOrigins(db, workspaceId, id)
  const known = {
    contact,
    lists: await listNames(db, workspaceId, 'lists', lists),
    tags: await listNames(db, workspaceId, 'tags', tags),
    ...(await readTimeline(db, workspaceId, id)),
  }
  return JSON.stringify(known, null, 2)
}
