import { expect, test } from 'vitest'
import { channels } from '../channels/index.ts'
import { noChoices, type WizardChoices } from './choices.ts'
import { opened, stepsOf } from './wizard-steps.ts'

const EMPTY = { ...noChoices, name: '', listIds: [] }
const KNOWN = { senders: [], templateName: undefined, listNames: [], people: undefined, followUps: 0 }
const EMAIL = ['authenticate', 'template', 'recipients', 'campaign', 'send'] as const
const openOf = (choices: Partial<WizardChoices>) =>
  stepsOf(EMAIL, { ...EMPTY, ...choices }, KNOWN).flatMap((step) => (step.open ? [step.id] : []))

test('wizard: the first step that has no answer can be opened, and those before it', () => {
  expect(openOf({})).toEqual(['authenticate'])
  expect(openOf({ senderId: '1' })).toEqual(['authenticate', 'template'])
  expect(openOf({ senderId: '1', templateId: '2' })).toEqual(['authenticate', 'template', 'recipients'])
  expect(openOf({ senderId: '1', templateId: '2', listIds: ['3'], name: 'News', subject: 'Hi' })).toEqual(EMAIL)
})

test('wizard: an answer behind a gap opens nothing', () => {
  expect(openOf({ listIds: ['3'], name: 'News', subject: 'Hi' })).toEqual(['authenticate'])
  expect(opened([{ id: 'send', label: 'Send', done: false }])).toMatchObject([{ open: true }])
})

test('wizard: blanks are no name and no subject', () => {
  const [, , , campaign] = stepsOf(EMAIL, { ...EMPTY, name: ' ', subject: 'Hi' }, KNOWN)
  expect(campaign?.done).toBe(false)
})

test('wizard: several accounts are counted, one is named', () => {
  const senders = [{ fromEmail: 'a@example.com' }, { fromEmail: 'b@example.com' }]
  const answer = (count: number) =>
    stepsOf(EMAIL, { ...EMPTY, senderIds: ['1'] }, { ...KNOWN, senders: senders.slice(0, count) })[0]?.answer
  expect([answer(1), answer(2)]).toEqual(['a@example.com', '2 accounts'])
})

test.each([
  ['bad_rows', 'email', { step: 'recipients' }],
  ['sender_missing', 'email', { step: 'authenticate' }],
  ['no_postal_address', 'email', { to: '/account' }],
  ['suppressed', 'email', { to: '/contacts/suppressions' }],
  ['no_recipients', 'email', { step: 'recipients' }],
  ['no_subject', 'email', { step: 'campaign' }],
  ['quota', 'email', { to: '/plan' }],
  ['replies_unseen', 'gmail', { to: '/gmail-sender' }],
  ['anything_else', 'email', { step: 'template' }],
  ['no_opt_in', 'whatsapp', { to: '/contacts' }],
  ['needs_number', 'whatsapp', { step: 'recipients' }],
] as const)('wizard: the problem %s of %s leads to where it is fixed', (code, channel, place) => {
  expect(channels[channel].whereToFix(code)).toMatchObject(place)
})
