import { expect, test } from 'vitest'
import { EmailProblemCode, GmailProblemCode, WhatsAppProblemCode } from '#contracts/campaigns/check.ts'
import { channels } from '../channels/index.ts'
import { noChoices, type WizardChoices } from './choices.ts'
import { findFix } from './fixes.ts'
import { buildSteps, opened, type StepId } from './wizard-steps.ts'

const EMPTY = {
  ...noChoices,
  name: '',
  ...{ listIds: [], segmentIds: [], excludeListIds: [], excludeSegmentIds: [] },
}
const NAMES = { senders: [], templateName: undefined, audienceNames: [], people: undefined, followUps: 0 }
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

test('wizard: a step that asks for nothing is done once it was seen, and a follow-up without a text is not', () => {
  const gmail = channels.gmail.steps
  const choices = { ...EMPTY, senderIds: ['1'], templateId: '2', listIds: ['3'], name: 'News', subject: 'Hi' }
  const build = (seen: readonly StepId[], names = {}) =>
    buildSteps(gmail, choices, { ...NAMES, ...names }, new Set(seen))
  const done = (...given: Parameters<typeof build>) => build(...given).flatMap((step) => (step.done ? [step.id] : []))
  const asked = ['authenticate', 'template', 'recipients', 'campaign']
  expect(done([])).toEqual(asked)
  expect(done(['followups'])).toEqual([...asked, 'followups'])
  expect(done(['followups', 'hours'])).toEqual([...asked, 'followups', 'hours'])
  expect(done(['followups', 'hours'], { followUps: 2, emptyFollowUp: 2 })).toEqual([...asked, 'hours'])
  expect(build(['followups'], { emptyFollowUp: 2 }).find(({ id }) => id === 'followups')?.missing).toContain(
    'follow-up 2',
  )
})

test.each([
  ['authenticate', {}, 'Choose a sender'],
  ['template', {}, 'Choose a template'],
  ['recipients', {}, 'Choose at least one list'],
  ['campaign', {}, 'Enter a subject'],
  ['campaign', { subject: 'Hi', name: ' ' }, 'Enter a campaign name'],
] as const)('wizard: the reason that stops at %s with %j is told', (id, choices, reason) => {
  expect(buildSteps(EMAIL, { ...EMPTY, ...choices }, NAMES).find((step) => step.id === id)?.missing).toContain(reason)
})

test('wizard: a problem leads to its follow-up, or to its line in the editor and back', () => {
  const back = '/email-sender/new?id=1&step=send'
  const fix = (problem: Parameters<typeof findFix>[1], template: string | null) =>
    findFix(channels.gmail, problem, template, back)
  expect(fix({ code: 'no_content', step: 3 }, null)).toEqual({ step: 'followups', label: 'Edit follow-up 2' })
  expect(fix({ code: 'content_mjml', line: 12 }, '7')).toEqual({
    to: `/editor/7?return=${encodeURIComponent(back)}&line=12`,
    label: 'Fix in template',
  })
  expect(fix({ code: 'content_html' }, null)).toMatchObject({ step: 'template' })
  expect(fix({ code: 'no_content' }, '7')).toMatchObject({ step: 'template' })
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
  ['no_postal_address', 'email', { to: '/account/workspace' }],
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
