import { expect, test } from 'vitest'
import type { TimelineEntry } from '#contracts/contacts/timeline.ts'
import { describeEntry } from './labels.ts'

const entry = (change: Partial<TimelineEntry>): TimelineEntry => ({
  key: 'event:1',
  at: '2026-01-02T10:00:00.000Z',
  kind: 'open',
  campaign: { id: '1', name: 'News', channel: 'email', step: 1 },
  state: '',
  detail: '',
  url: null,
  isBot: false,
  times: 1,
  visitor: null,
  changes: null,
  properties: null,
  editor: null,
  ...change,
})

test('timeline labels: opens and clicks name bots and repeats', () => {
  expect(describeEntry(entry({})).title).toBe('Opened')
  expect(describeEntry(entry({ isBot: true, times: 3 })).title).toBe('Opened 3 times by a bot')
  expect(describeEntry(entry({ kind: 'click', times: 2 })).title).toBe('Clicked a link 2 times')
})

test('timeline labels: messages say their channel, step and state', () => {
  const message = (channel: string, step: number, state: string) =>
    describeEntry(entry({ kind: 'message', state, campaign: { id: '1', name: 'News', channel, step } })).title
  expect(message('email', 1, 'sent')).toBe('Email: Sent')
  expect(message('gmail', 2, 'bounced')).toBe('Follow-up 1: Bounced')
  expect(message('whatsapp', 1, 'read')).toBe('WhatsApp campaign: Read')
  expect(message('email', 1, 'a later state')).toBe('Email: a later state')
  expect(describeEntry(entry({ kind: 'message', state: 'suppressed', detail: 'frequency_cap' })).detail).toBe(
    'Reached the weekly limit',
  )
})

test('timeline labels: a pause names its last day as the rest of the page does, in every zone', () => {
  const title = (state: string, detail: string) => describeEntry(entry({ kind: 'preference', state, detail })).title
  expect(title('paused', '2026-12-27')).toBe('Paused emails until 27 Dec 2026')
  expect(title('list_left', 'News')).toBe('Left the list News on the preference page')
})

test('timeline labels: edits name the labels of their fields, and custom events their properties', () => {
  const label = (name: string) => (name === 'cup' ? 'Cup size' : name)
  expect(describeEntry(entry({ kind: 'edited', detail: 'name, cup' }), label).title).toBe('Edited: Name, Cup size')
  const changes = [{ field: 'cup', from: null, to: 'XL' }]
  expect(describeEntry(entry({ kind: 'edited', detail: 'cup', editor: 'Ada', changes }), label)).toEqual({
    title: 'Edited: Cup size',
    detail: 'By Ada',
    lines: ['Cup size: empty → XL'],
  })
  expect(describeEntry(entry({ kind: 'edited' })).title).toBe('Last edited')
  expect(
    describeEntry(entry({ kind: 'custom_event', detail: 'Order paid', properties: { total: 20, coupon: null } })),
  ).toEqual({ title: 'Order paid', lines: ['total: 20', 'coupon: empty'] })
  expect(describeEntry(entry({ kind: 'journey_left', state: 'goal', detail: 'Welcome' })).title).toBe(
    'Reached the goal of the journey Welcome',
  )
})
