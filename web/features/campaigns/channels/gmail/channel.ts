import { channelPages } from '#web/channel-pages.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import { seenIn } from '../../report/labels.ts'
import type { Channel } from '../channel.ts'
import { emails } from '../email/channel.ts'

export const gmail: Channel = {
  id: 'gmail',
  ...channelPages.gmail,
  ...emails,
  steps: ['authenticate', 'template', 'recipients', 'campaign', 'followups', 'hours', 'send'],
  whereToFix: (code) =>
    code === 'replies_unseen' ? { to: '/gmail-sender', label: 'View accounts' } : emails.whereToFix(code),
  replies: (campaign) => ({ value: formatNumber(campaign.replied), note: seenIn(campaign) ?? 'follow-ups included' }),
  withLive: (campaign, { forecast }) => (campaign.channel === 'gmail' ? { ...campaign, forecast } : campaign),
}
