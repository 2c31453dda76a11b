import { channelPages } from '#web/channel-pages.ts'
import { noChoices } from '../../wizard/choices.ts'
import type { Channel } from '../channel.ts'

/** Emails, whichever way they are sent. */
export const emails = {
  one: 'email',
  taker: 'the mail server',
  rejectedBy: 'the mail server',
  address: 'Address',
  invitation: 'Create a campaign from a template and send it to your lists.',
  blankChoices: noChoices,
  readChoices({ senderId, senderIds, subject, templateId, html, trackOpens, trackClicks, window, spread }) {
    const tracking = { trackOpens, trackClicks }
    return { ...noChoices, senderId, senderIds, subject, templateId, html, ...tracking, window, spread }
  },
  describeContent: ({ subject }) => subject,
  removal: 'This deletes its report. Unsubscribes stay in effect, and links in emails already sent keep working.',
  whereToFix(code) {
    if (/rows/.test(code)) return { step: 'recipients', label: 'View rows' }
    if (/sender|from|account/.test(code)) return { step: 'authenticate', label: 'View sender' }
    if (/postal|company/.test(code)) return { to: '/account', label: 'Add it to your account' }
    if (code === 'suppressed') return { to: '/contacts/suppressions', label: 'View recipients' }
    if (/list|recipient/.test(code)) return { step: 'recipients', label: 'Choose recipients' }
    if (/subject|name/.test(code)) return { step: 'campaign', label: 'Write the subject' }
    if (/plan|quota|limit/.test(code)) return { to: '/plan', label: 'View plans' }
    return { step: 'template', label: 'Fix in template' }
  },
  figures: [
    { id: 'opened', header: 'Opened', count: ({ trackOpens, opened }) => (trackOpens ? opened : null) },
    { id: 'clicked', header: 'Clicked', count: ({ trackClicks, clicked }) => (trackClicks ? clicked : null) },
  ],
  moments: [
    { header: 'Opened', at: ({ openedAt }) => openedAt, isCounted: ({ trackOpens }) => trackOpens },
    { header: 'Clicked', at: ({ clickedAt }) => clickedAt, isCounted: ({ trackClicks }) => trackClicks },
  ],
} as const satisfies Omit<Channel, 'id' | 'wizard' | 'list' | 'steps'>

export const email: Channel = {
  id: 'email',
  ...channelPages.email,
  ...emails,
  steps: ['authenticate', 'template', 'recipients', 'campaign', 'send'],
}
