import { z } from 'zod'
import { TimelineCursor, type TimelineEntry } from '#contracts/contacts/timeline.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { contactById } from '../store.ts'
import { nameUsers, type TimelineRow, timelinePage } from './timeline-store.ts'

const present = (
  { micros: _, campaignId, campaignName, channel, step, ip, userAgent, editedBy, ...row }: TimelineRow,
  users: Map<string, string>,
): TimelineEntry => ({
  ...row,
  kind: row.kind as TimelineEntry['kind'],
  at: row.at.toISOString(),
  editor: (editedBy !== null && users.get(editedBy)) || null,
  visitor: ip === null ? null : { ip, userAgent: userAgent ?? '' },
  campaign:
    campaignName === null ? null : { id: campaignId, name: campaignName, channel: channel ?? '', step: step ?? 1 },
})

/** One page of what happened with a contact, newest first; a refusal (404) when there is no such contact. */
export async function showTimeline(
  db: Db,
  workspaceId: string,
  contactId: string,
  { limit, cursor }: { limit: number; cursor?: z.output<typeof TimelineCursor> | undefined },
) {
  if (!(await contactById(db, workspaceId, contactId))) throw notFound('Contact')
  const rows = await timelinePage(db, workspaceId, contactId, { limit: limit + 1, ...(cursor && { after: cursor }) })
  const { items, nextCursor } = takePage(rows, limit, ({ micros, key }) => z.encode(TimelineCursor, [micros, key]))
  const users = await nameUsers(
    db,
    workspaceId,
    items.flatMap(({ editedBy }) => editedBy ?? []),
  )
  return { items: items.map((row) => present(row, users)), nextCursor }
}
