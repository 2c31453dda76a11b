import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { AutomationRules, type Hours, whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { wallClock } from '#server/platform/time/wall-clock.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import {
  type Automatic,
  decide,
  fill,
  MAX_REPLIES_PER_DAY,
  MAX_REPLIES_PER_HOUR,
  matches,
  type Talk,
} from './engine.ts'
import { parseAnswer } from './flow.ts'
import { isDue } from './hours.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
let ada: Person
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
  ada = await t.person()
})

const add = (accountId: string, kind: Automatic['kind'], name: string, rules: object) =>
  ada.api(whatsappAutomations.create, { body: { accountId, kind, name, rules } })
const replies = async (number: string, digits: string) =>
  (await world.chat(number, digits)).filter((one) => one.from === 'business').map((one) => one.text)

test('automation: keyword, welcome and fallback reply one at a time', async () => {
  const { number, account } = await world.connect(ada)
  const { phoneNumberId } = number
  await add(account.id, 'welcome', 'Hello', { reply: 'Welcome, {{ name | default: "friend" }}.' })
  await add(account.id, 'keyword', 'Prices', {
    keywords: ['price', 'Preis'],
    reply: 'From 9 a month.',
    buttons: ['More', 'Person'],
  })
  await add(account.id, 'fallback', 'Else', { reply: 'We will look into it.' })
  const digits = '447911200001'
  await world.says(phoneNumberId, digits, 'Good morning', 'Grace')
  await until(async () => (await replies(phoneNumberId, digits)).length === 1, 'welcome')
  await world.says(phoneNumberId, digits, 'What is the PRICE?')
  await until(async () => (await replies(phoneNumberId, digits)).length === 2, 'price')
  await world.says(phoneNumberId, digits, 'Hm')
  await until(async () => (await replies(phoneNumberId, digits)).length === 3, 'fallback')
  expect(await replies(phoneNumberId, digits)).toEqual(['Welcome, Grace.', 'From 9 a month.', 'We will look into it.'])
  expect(
    (await world.chat(phoneNumberId, digits))
      .find((one) => one.text === 'From 9 a month.')
      ?.buttons.map((one) => one.text),
  ).toEqual(['More', 'Person'])
  const list = await ada.api(whatsappAutomations.list, { query: { accountId: account.id } })
  expect(list.items.map((one) => [one.kind, one.answered])).toEqual([
    ['keyword', 1],
    ['welcome', 1],
    ['fallback', 1],
  ])
})

test('automation: a suspended account gets no automatic replies', async () => {
  const [root, eve] = [await t.person({ role: 'admin' }), await t.person()]
  const { number, account } = await world.connect(eve)
  await eve.api(whatsappAutomations.create, {
    body: { accountId: account.id, kind: 'fallback', name: 'Else', rules: { reply: 'We will look into it.' } },
  })
  const { phoneNumberId } = number
  await world.says(phoneNumberId, '447911200091', 'Hello')
  await until(async () => (await replies(phoneNumberId, '447911200091')).length === 1, 'the answer before')
  const suspend = (suspended: boolean) => root.api(admin.changeUser, { params: { id: eve.id }, body: { suspended } })
  await suspend(true)
  const left = () =>
    t.services.pool.query(
      "select count(*)::int as jobs from pgboss.job where name = 'whatsapp.answer' and state not in ('completed', 'failed')",
    )
  await world.says(phoneNumberId, '447911200092', 'Hello')
  await world.says(phoneNumberId, '447911200092', 'STOP')
  const kept = () =>
    t.services.pool.query(
      "select count(*)::int as messages from whatsapp_messages where workspace_id = $1 and direction = 'in'",
      [eve.workspaceId],
    )
  await until(async () => (await kept()).rows[0].messages === 3, 'what was said is kept')
  await until(async () => (await left()).rows[0].jobs === 0, 'nothing is left to answer')
  expect(await replies(phoneNumberId, '447911200092')).toEqual([])
  await suspend(false)
  await world.says(phoneNumberId, '447911200093', 'Hello again')
  await until(async () => (await replies(phoneNumberId, '447911200093')).length === 1, 'the answer after')
})

test('automation: a reply longer than Meta accepts is truncated and sent with its buttons', async () => {
  const { number, account } = await world.connect(ada)
  const reply = `${'x'.repeat(1_000)} {{ name }}`
  await add(account.id, 'keyword', 'Long', { keywords: ['long'], reply, buttons: ['More'] })
  const digits = '447911200077'
  await ada.api(contacts.create, { body: { phone: `+${digits}`, name: 'Grace '.repeat(20).trim() } })
  await world.says(number.phoneNumberId, digits, 'long')
  const [text = ''] = await until(async () => {
    const all = await replies(number.phoneNumberId, digits)
    return all.length === 1 && all
  }, 'the answer')
  expect([...text].length).toBe(1_024)
  expect(text).toMatch(/^x{1000} Grace Grace .*…$/)
})

test('automation: a flow asks, checks and stores replies, then hands over to a user', async () => {
  const { number, account } = await world.connect(ada)
  const { phoneNumberId } = number
  await add(account.id, 'keyword', 'Quote', {
    keywords: ['quote'],
    reply: 'Two questions.',
    questions: [
      { ask: 'What is your email address?', field: 'email', expects: 'email', retry: 'That is no address.' },
      { ask: 'How large?', field: 'attributes.size', expects: 'choice', choices: ['Small', 'Medium', 'Large', 'Huge'] },
    ],
    thanks: 'Thank you.',
    handOver: true,
  })
  const digits = '447911200002'
  const say = async (text: string, count: number) => {
    await world.says(phoneNumberId, digits, text, 'Grace Hopper')
    await until(async () => (await replies(phoneNumberId, digits)).length === count, `${count} replies after ${text}`)
  }
  await say('A quote please', 2)
  await say('none', 3)
  await say('grace.flow@example.com', 4)
  const list = (await world.chat(phoneNumberId, digits)).at(-1)
  await world.act(phoneNumberId, digits, { act: 'button', messageId: list?.id ?? '', index: 2 })
  await until(async () => (await replies(phoneNumberId, digits)).length === 5, 'thanks')
  expect(await replies(phoneNumberId, digits)).toEqual([
    'Two questions.',
    'What is your email address?',
    'That is no address.',
    'How large?',
    'Thank you.',
  ])
  const { items } = await ada.api(contacts.list, { query: { q: 'grace.flow@example.com' } })
  expect(items).toMatchObject([
    { phone: `+${digits}`, name: 'Grace Hopper', source: 'whatsapp', attributes: { size: 'Large' } },
  ])
  const [conversation] = (await ada.api(whatsappConversations.list, { query: { q: digits } })).items
  expect(conversation).toMatchObject({ contactId: items[0]?.id, heldUntil: expect.any(String) })
  await world.says(phoneNumberId, digits, 'quote')
  await until(
    async () => (await ada.api(whatsappConversations.get, { params: { id: conversation?.id ?? '' } })).unread === 5,
    'arrived',
  )
  const waiting = await until(async () => {
    const { rows } = await t.services.pool.query(
      "select count(*)::int as n from pgboss.job where name = 'whatsapp.answer' and state in ('created','active','retry')",
    )
    return rows[0].n === 0
  }, 'answered')
  expect([waiting, (await replies(phoneNumberId, digits)).length]).toEqual([true, 5])
})

test('automation: the simulator gives the same replies and sends nothing', async () => {
  const { number, account } = await world.connect(ada)
  await add(account.id, 'welcome', 'Hello', { reply: 'Welcome.' })
  await add(account.id, 'away', 'Away', {
    reply: 'We are back at nine.',
    hours: {
      timeZone: 'Europe/Berlin',
      when: 'outside',
      spans: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
    },
  })
  await add(account.id, 'keyword', 'Person', { keywords: ['person'], reply: 'One moment.', handOver: true })
  // Monday, 2026-11-23, 22:00 in Berlin.
  const answer = await ada.api(whatsappAutomations.simulate, {
    body: {
      accountId: account.id,
      at: '2026-11-23T21:00:00Z',
      messages: ['Hi', 'Hello?', 'Anybody?', 'A person please', 'Hi?', 'STOP'],
    },
  })
  expect(answer.steps.map(({ from, text }) => `${from}: ${text}`)).toEqual([
    'person: Hi',
    'automation: Welcome.',
    'person: Hello?',
    'automation: We are back at nine.',
    'person: Anybody?',
    'person: A person please',
    'automation: One moment.',
    'person: Hi?',
    'person: STOP',
  ])
  expect(answer).toMatchObject({ handedOver: true, fields: {} })
  expect(answer.steps.at(-2)?.why).toContain('A person took over')
  await expect(world.chat(number.phoneNumberId, '447911200003')).rejects.toMatchObject({ status: 404 })
})

test('automation: impossible rules are refused by field', async () => {
  const { account } = await world.connect(ada)
  const refused = (kind: Automatic['kind'], rules: object, field: string) =>
    expect(add(account.id, kind, 'x', rules)).rejects.toMatchObject({ status: 400, details: [{ field }] })
  await refused('keyword', { reply: 'x' }, 'rules.keywords')
  await refused('away', { reply: 'x' }, 'rules.hours')
  await refused('fallback', {}, 'rules.reply')
  await refused(
    'away',
    {
      reply: 'x',
      hours: { timeZone: 'Mars/Olympus', when: 'outside', spans: [{ days: [1], from: '09:00', to: '17:00' }] },
    },
    'rules.hours.timeZone',
  )
  await refused('fallback', { reply: 'x', buttons: ['a', 'a'] }, 'rules.buttons')
  await refused(
    'fallback',
    { questions: [{ ask: 'Which?', field: 'name', expects: 'choice', choices: ['one'] }] },
    'rules.questions.0.choices',
  )
  await refused('fallback', { questions: [{ ask: 'Which?', field: 'phone' }] }, 'rules.questions.0.field')
  const stranger = await t.person()
  await expect(
    stranger.api(whatsappAutomations.create, {
      body: { accountId: account.id, kind: 'fallback', name: 'x', rules: { reply: 'x' } },
    }),
  ).rejects.toMatchObject({ status: 400, details: [{ field: 'accountId' }] })
})

const talk = (change: Partial<Talk> = {}): Talk => ({
  text: 'hello',
  payload: '',
  at: new Date('2026-11-23T12:00:00Z'),
  contact: null,
  profileName: '',
  isFirst: false,
  isHeld: false,
  flow: null,
  recent: [],
  ...change,
})
const automatic = (kind: Automatic['kind'], rules: object): Automatic => ({
  id: '1',
  kind,
  name: kind,
  rules: AutomationRules.parse(rules),
})

test('automation: two machines that reply to each other stop at the limits', () => {
  const echo = automatic('keyword', { keywords: ['hello'], reply: 'hello' })
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 600_000 }), { minLength: 100, maxLength: 400 }), (gaps) => {
      const answers: Date[] = []
      let at = Date.parse('2026-11-23T00:00:00Z')
      for (const gap of gaps) {
        at += gap
        const recent = answers.map((one) => ({ automationId: '1', at: one }))
        const { says, handOver } = decide([echo], talk({ at: new Date(at), recent }))
        if (says.length > 0) answers.push(new Date(at))
        else expect(handOver).toBe(true)
      }
      const within = (ms: number) =>
        Math.max(
          ...answers.map(
            (one) => answers.filter((other) => other <= one && one.getTime() - other.getTime() < ms).length,
          ),
        )
      expect(within(3_600_000)).toBeLessThanOrEqual(MAX_REPLIES_PER_HOUR)
      expect(within(86_400_000)).toBeLessThanOrEqual(MAX_REPLIES_PER_DAY)
    }),
    { numRuns: 30 },
  )
})

test('automation: hours follow the clock of their time zone, over midnight and clock changes', () => {
  const hours = (from: string, to: string, days: number[], timeZone = 'Europe/Berlin'): Hours => ({
    timeZone,
    when: 'inside',
    spans: [{ days, from, to }],
  })
  const at = (iso: string) => new Date(iso)
  expect(isDue(at('2026-11-23T08:00:00Z'), hours('09:00', '17:00', [1]))).toBe(true)
  expect(isDue(at('2026-11-23T07:59:59Z'), hours('09:00', '17:00', [1]))).toBe(false)
  expect(isDue(at('2026-11-23T16:00:00Z'), hours('09:00', '17:00', [1]))).toBe(false)
  // Friday night to Saturday morning.
  expect(isDue(at('2026-11-28T01:00:00Z'), hours('22:00', '06:00', [5]))).toBe(true)
  expect(isDue(at('2026-11-27T01:00:00Z'), hours('22:00', '06:00', [5]))).toBe(false)
  // The same wall clock in summer is an hour earlier in UTC.
  expect(isDue(at('2026-07-06T07:00:00Z'), hours('09:00', '17:00', [1]))).toBe(true)
  expect(isDue(at('2026-07-06T07:00:00Z'), { ...hours('09:00', '17:00', [1]), when: 'outside' })).toBe(false)
  const zones = [
    'UTC',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Pacific/Chatham',
    'America/New_York',
    'Australia/Lord_Howe',
  ]
  fc.assert(
    fc.property(
      fc.date({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z'), noInvalidDate: true }),
      fc.constantFrom(...zones),
      (moment, zone) => {
        const { day, minute } = wallClock(moment, zone)
        expect(day >= 1 && day <= 7 && minute >= 0 && minute < 1_440).toBe(true)
        const allDay = hours('00:00', '24:00', [day], zone)
        expect(isDue(moment, allDay)).toBe(true)
        expect(isDue(moment, { ...allDay, when: 'outside' })).toBe(false)
      },
    ),
  )
})

test('automation: keywords match whole words, and variables are filled without running them', () => {
  expect(matches({ keywords: ['offer'], match: 'word' }, 'Your OFFER!')).toBe('offer')
  expect(matches({ keywords: ['offer'], match: 'word' }, 'two coffers')).toBeUndefined()
  expect(matches({ keywords: ['hi'], match: 'exact' }, 'Hi.')).toBe('hi')
  expect(matches({ keywords: ['hi'], match: 'starts' }, 'oh hi')).toBeUndefined()
  const contact = {
    name: 'Ada',
    email: null,
    phone: null,
    attributes: { company: 'A & B', odd: '{{ name }}' },
    lists: [],
  }
  expect(
    fill('{{ name }} of {{attributes.company}}, {{ email | default: "no mail" }}{{ attributes.none }}', {
      contact,
      profileName: '',
    }),
  ).toBe('Ada of A & B, no mail')
  expect(fill('{{ attributes.odd }}', { contact, profileName: '' })).toBe('{{ name }}')
  // As in emails, also of a person who is no contact yet.
  expect(fill('Hi {{ first_name }}', { contact: null, profileName: 'Grace Hopper' })).toBe('Hi Grace')
  fc.assert(
    fc.property(
      fc.string({ maxLength: 2_000 }),
      (text) =>
        typeof fill(text, { contact, profileName: '' }) === 'string' &&
        matches({ keywords: [text], match: 'word' }, text) !== null,
    ),
  )
})

test('automation: a reply that does not fit its question is refused', () => {
  const ask = (expects: 'email' | 'number' | 'date' | 'choice' | 'text', choices: string[] = []) => ({
    ask: 'x',
    field: 'name',
    expects,
    choices,
    retry: 'x',
  })
  expect(parseAnswer(ask('email'), ' ada@example.com ')).toBe('ada@example.com')
  expect(parseAnswer(ask('email'), 'ada at example')).toBeUndefined()
  expect(parseAnswer(ask('number'), '1,5')).toBe('1.5')
  expect(parseAnswer(ask('number'), '1e9')).toBeUndefined()
  expect(parseAnswer(ask('date'), '29.2.2024')).toBe('2024-02-29')
  expect(parseAnswer(ask('date'), '29.2.2025')).toBeUndefined()
  expect(parseAnswer(ask('choice', ['Red', 'Blue']), 'blue')).toBe('Blue')
  expect(parseAnswer(ask('choice', ['Red', 'Blue']), '1')).toBe('Red')
  expect(parseAnswer(ask('choice', ['Red', 'Blue']), '3')).toBeUndefined()
  expect(parseAnswer(ask('text'), '   ')).toBeUndefined()
})
