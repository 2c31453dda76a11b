import { expect, test } from 'vitest'
import { EmailProblemCode, GmailProblemCode, WhatsAppProblemCode } from '#contracts/campaigns/check.ts'
import { channels } from '../channels/index.ts'
import { noChoices, type WizardChoices } from './choices.ts'
import { buildSteps, opened } from './wizard-steps.ts'

const EMPTY = { ...noChoices, name: '', listIds: [] }
const NAMES = { senders: [], templateName: undefined, listNames: [], people: undefined, followUps: 0 }
const EMAIL = ['authenticate', 'template', 'recipients', 'campaign', 'send'] as const
const listOpenSteps = (choices: Partial<WizardChoices>) =>
  buildSteps(EMAIL, { ...EMPTY, ...choices }, NAMES).flatMap((step) => (step.open ? [step.id] : []))

test('wizard: the first step without a choice is open, and so are those before it', () => {
  expect(listOpenSteps({})).toEqual(['authenticate'])
  expect(listOpenSteps({ senderId: '1' })).toEqual(['authenticate', 'template'])
  expect(listOpenSteps({ senderId: '1', templateId: '2' })).toEqual(['authenticate', 'template', 'recipients'])
  expect(listOpenSteps({ senderId: '1', templateId: '2', listIds: ['3'], name: 'News', subject: 'Hi' })).toEqual(EMAIL)
})

test('wizard: a choice after a step without one opens no further step', () => {
  expect(listOpenSteps({ listIds: ['3'], name: 'News', subject: 'Hi' })).toEqual(['authenticate'])
  expect(opened([{ id: 'send', label: 'Send', done: false }])).toMatchObject([{ open: true }])
})

test('wizard: a name of spaces leaves the campaign step unfinished', () => {
  const [, , , campaign] = buildSteps(EMAIL, { ...EMPTY, name: ' ', subject: 'Hi' }, NAMES)
  expect(campaign?.done).toBe(false)
})

test('wizard: one chosen account is named, several are counted', () => {
  const senders = [{ fromEmail: 'a@example.com' }, { fromEmail: 'b@example.com' }]
  const summary = (count: number) =>
    buildSteps(EMAIL, { ...EMPTY, senderIds: ['1'] }, { ...NAMES, senders: senders.slice(0, count) })[0]?.summary
  expect([summary(1), summary(2)]).toEqual(['a@example.com', '2 accounts'])
})

test.each([
  ['bad_rows', 'email', { step: 'recipients' }],
  ['no_sender', 'email', { step: 'authenticate' }],
  ['no_postal_address', 'email', { to: '/account' }],
  ['suppressed', 'email', { to: '/contacts/suppressions' }],
  ['no_recipients', 'email', { step: 'recipients' }],
  ['no_subject', 'email', { step: 'campaign' }],
  ['quota_used_up', 'email', { to: '/plan' }],
  ['replies_unseen', 'gmail', { to: '/gmail-sender/accounts' }],
  ['content_html', 'email', { step: 'template' }],
  ['no_consent', 'whatsapp', { to: '/contacts' }],
  ['needs_number', 'whatsapp', { step: 'recipients' }],
] as const)('wizard: the problem %s of %s leads to the step or page that fixes it', (code, channel, place) => {
  expect(channels[channel].fixes[code]).toMatchObject(place)
})

test.each([
  ['email', EmailProblemCode],
  ['gmail', GmailProblemCode],
  ['whatsapp', WhatsAppProblemCode],
] as const)('wizard: every problem that the check of %s can find has a place where it is fixed', (channel, codes) => {
  const { fixes, steps } = channels[channel]
  expect(Object.keys(fixes).sort()).toEqual([...codes.options].sort())
  for (const place of Object.values(fixes)) if ('step' in place) expect(steps).toContain(place.step)
})
