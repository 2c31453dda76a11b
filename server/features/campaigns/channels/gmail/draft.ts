import { invalid } from '#server/platform/http/refusal.ts'
import type { ChannelColumns } from '../../store.ts'
import type { CampaignDraft, DraftRules } from '../channel.ts'
import { checkWindow } from '../hours/hours.ts'

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
    checkWindow(window)
    if (window?.zoneField) throw invalid('window.zoneField', 'is for email campaigns')
  },
  accounts: ({ senderIds, senderId }) => senderIds ?? (senderId === undefined ? undefined : senderId ? [senderId] : []),
  columns: toColumns,
}
