import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { isTimeZone } from '#contracts/time-zone.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { ChannelColumns } from '../../store.ts'
import type { CampaignDraft, DraftRules } from '../channel.ts'

/** Stores the sending hours; null empties them, as the drafts of other channels may. */
function toColumns({ window, spread }: Partial<CampaignDraft>): ChannelColumns {
  return {
    ...(window !== undefined && { sendingWindow: window && JSON.stringify(window) }),
    ...(spread !== undefined && { spread }),
  }
}

/** What a Gmail draft may say: the accounts it goes through, and when. */
export const gmailDraft: DraftRules = {
  fields: ['window', 'senderIds', 'spread'],
  hasDefaultSender: false,
  refuseSender: (kind) => (kind === 'gmail' ? undefined : 'is not a Gmail account'),
  async check(_db, _workspaceId, { window }) {
    if (window && !isTimeZone(window.timeZone))
      throw invalid('window.timeZone', 'is not a time zone such as Europe/Berlin')
  },
  accounts: ({ senderIds, senderId }) => senderIds ?? (senderId === undefined ? undefined : senderId ? [senderId] : []),
  columns: toColumns,
}

/** When a Gmail campaign may send, and whether a day's messages are spread over that time. */
export interface Hours {
  window: SendingWindow | null
  spread: boolean
}

/** The hours of Gmail campaigns, by id. */
export async function readHours(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, Hours>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(['id', 'sendingWindow', 'spread'])
    .execute()
  return new Map(
    rows.map(({ id, sendingWindow, spread }) => [id, { window: sendingWindow as SendingWindow | null, spread }]),
  )
}

/** The hours of one campaign; at any time where it is gone. */
export async function findHours(db: Db, { workspaceId, id }: { workspaceId: string; id: string }): Promise<Hours> {
  return (await readHours(db, workspaceId, [id])).get(id) ?? { window: null, spread: false }
}
