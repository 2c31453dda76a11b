import type { GmailProblemCode } from '#contracts/campaigns/check.ts'
import { channelPages } from '#web/channel-pages.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import { seenIn } from '../../report/labels.ts'
import type { FixPlace } from '../../wizard/wizard-steps.ts'
import type { Channel } from '../channel.ts'
import { emailFixes, emails } from '../email/channel.ts'

/** Where the problems of Gmail campaigns are fixed. */
const gmailFixes: Record<GmailProblemCode, FixPlace> = {
  ...emailFixes,
  account_revoked: { step: 'authenticate', label: 'View sender' },
  account_blocked: { step: 'authenticate', label: 'View sender' },
  replies_unseen: { to: `${channelPages.gmail.list}/accounts`, label: 'View accounts' },
}

export const gmail: Channel = {
  id: 'gmail',
  name: 'Gmail',
  ...channelPages.gmail,
  ...emails,
  steps: ['authenticate', 'template', 'recipients', 'campaign', 'followups', 'hours', 'send'],
  // Replies are detected in the account's own mailbox.
  hasReplyTo: false,
  hasTotals: false,
  hasLinkTags: false,
  hasHours: false,
  fixes: gmailFixes,
  replies: (campaign) => ({ value: formatNumber(campaign.replied), note: seenIn(campaign) ?? 'follow-ups included' }),
}
