import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { formatDay } from '#web/ui/lib/format.ts'

/** What the wizard asks. */
export type Answers = Pick<
  Campaign,
  | 'name'
  | 'senderId'
  | 'senderIds'
  | 'subject'
  | 'templateId'
  | 'html'
  | 'listIds'
  | 'trackOpens'
  | 'trackClicks'
  | 'window'
  | 'spread'
  | 'whatsapp'
>

/** What a new campaign starts with: nothing but a name. */
export const blankAnswers = (): Answers => ({
  name: `Campaign of ${formatDay(new Date().toISOString())}`,
  senderId: null,
  senderIds: [],
  subject: '',
  templateId: null,
  html: '',
  listIds: [],
  trackOpens: true,
  trackClicks: true,
  window: null,
  spread: false,
  whatsapp: null,
})

/** The wizard's part of a saved campaign. */
export function answersOf(campaign: Campaign): Answers {
  const { name, senderId, senderIds, subject, templateId, html, listIds, trackOpens, trackClicks } = campaign
  const { window, spread, whatsapp } = campaign
  const mail = { senderId, senderIds, subject, templateId, html, trackOpens, trackClicks, window, spread }
  return { name, listIds, whatsapp, ...mail }
}
