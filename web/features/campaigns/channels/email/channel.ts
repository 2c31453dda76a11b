import type { EmailProblemCode } from '#contracts/campaigns/check.ts'
import { channelPages } from '#web/channel-pages.ts'
import { type Tracked, whyUnknown } from '../../report/labels.ts'
import { noChoices } from '../../wizard/choices.ts'
import type { FixPlace } from '../../wizard/wizard-steps.ts'
import type { CampaignFigure, Channel } from '../channel.ts'

const plans: FixPlace = { to: '/plan', label: 'View plans' }
const recipients: FixPlace = { step: 'recipients', label: 'Choose recipients' }
const segments: FixPlace = { to: '/contacts/segments', label: 'View segments' }
const rows: FixPlace = { step: 'recipients', label: 'View rows' }
const sender: FixPlace = { step: 'authenticate', label: 'View sender' }
const subject: FixPlace = { step: 'campaign', label: 'Write the subject' }
const template: FixPlace = { step: 'template', label: 'Fix in template' }

/** Where the problems of emails are fixed. */
export const emailFixes: Record<EmailProblemCode, FixPlace> = {
  quota_used_up: plans,
  quota_low: plans,
  no_lists: recipients,
  audience_deleted: recipients,
  segment_incomplete: segments,
  segments_complex: segments,
  segments_slow: segments,
  no_recipients: recipients,
  sample_contacts: recipients,
  suppressed: { to: '/contacts/suppressions', label: 'View recipients' },
  no_sender: sender,
  sender_not_configured: sender,
  sender_failing: sender,
  no_from: sender,
  from_unconfirmed: sender,
  dmarc_fail: { to: '/sending-domains', label: 'Add the domain' },
  dmarc_unknown: { to: '/sending-domains', label: 'View domains' },
  no_subject: subject,
  no_content: template,
  no_postal_address: { to: '/account/workspace', label: 'Add it to your workspace' },
  content_subject: subject,
  content_html: template,
  content_mjml: template,
  content_text: template,
  content_sender: sender,
  sample_text: template,
  unknown_attribute: template,
  empty_field: template,
  link_broken: template,
  link_unchecked: template,
  rows_being_read: rows,
  rows_unreadable: rows,
  bad_rows: rows,
  link_tags_untracked: { step: 'campaign', label: 'View tracking' },
  link_tag_unused: { step: 'send', label: 'View links' },
  no_lawful_basis: { to: '/email-scraper', label: 'View scrapes' },
}

const knowsOpeners = (campaign: Tracked) => !whyUnknown(campaign, 'opened')
const knowsClickers = (campaign: Tracked) => !whyUnknown(campaign, 'clicked')

type Count = CampaignFigure['count']
const countOpened: Count = ({ trackOpens, opened }) => (trackOpens ? opened : null)
const countClicked: Count = ({ trackClicks, clicked }) => (trackClicks ? clicked : null)
/** The share of the emails that were sent. */
const toRate =
  (count: Count): Count =>
  (campaign) => {
    const { sent } = campaign.counts
    const known = count(campaign)
    return known === null || sent === 0 ? null : known / sent
  }

/** Emails, whichever way they are sent. */
export const emails = {
  one: 'email',
  taker: 'the mail server',
  rejectedBy: 'the mail server',
  address: 'Address',
  invitation: 'Create a campaign from a template and send it to your lists.',
  blankChoices: noChoices,
  readChoices: (campaign) => ({
    ...noChoices,
    senderId: campaign.senderId,
    senderIds: campaign.senderIds,
    subject: campaign.subject,
    preheader: campaign.preheader,
    fromName: campaign.fromName,
    replyTo: campaign.replyTo,
    templateId: campaign.templateId,
    html: campaign.html,
    trackOpens: campaign.trackOpens,
    trackClicks: campaign.trackClicks,
    trackingMode: campaign.trackingMode,
    linkTags: campaign.linkTags,
    window: campaign.window,
    spread: campaign.spread,
  }),
  withLive: (campaign, { forecast }) => (campaign.channel === 'whatsapp' ? campaign : { ...campaign, forecast }),
  describeContent: ({ subject }) => subject,
  removal: 'This deletes its report. Unsubscribes stay in effect, and links in emails already sent keep working.',
  figures: [
    { id: 'opened', header: 'Open rate', count: countOpened, rate: toRate(countOpened) },
    { id: 'clicked', header: 'Click rate', count: countClicked, rate: toRate(countClicked) },
  ],
  deeds: [
    { event: 'opened', label: 'Opened', at: ({ openedAt }) => openedAt, isCounted: knowsOpeners },
    {
      event: 'clicked',
      label: 'Clicked',
      at: ({ clickedAt }) => clickedAt,
      isCounted: knowsClickers,
    },
    {
      event: 'replied',
      label: 'Replied',
      at: ({ repliedAt }) => repliedAt,
      isCounted: ({ replied }) => replied !== null,
    },
    { event: 'not_opened', label: 'Not opened', isCounted: knowsOpeners },
    { event: 'bounced', label: 'Bounced', isCounted: () => true },
    {
      event: 'unsubscribed',
      label: 'Unsubscribed',
      at: ({ unsubscribedAt }) => unsubscribedAt,
      isCounted: () => true,
    },
  ],
} as const satisfies Omit<
  Channel,
  | 'id'
  | 'name'
  | 'wizard'
  | 'list'
  | 'reports'
  | 'steps'
  | 'fixes'
  | 'hasReplyTo'
  | 'hasTotals'
  | 'hasLinkTags'
  | 'hasHours'
>

export const email: Channel = {
  id: 'email',
  name: 'email',
  ...channelPages.email,
  ...emails,
  hasReplyTo: true,
  hasTotals: true,
  hasLinkTags: true,
  hasHours: true,
  fixes: emailFixes,
  steps: ['authenticate', 'template', 'recipients', 'campaign', 'send'],
}
