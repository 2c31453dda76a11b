import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { whatsappUnread } from '#contracts/whatsapp/unread.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { bring, whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
let ada: Person
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
  ada = await t.person({ name: 'Ada Lovelace' })
})

const GRACE = '447911123456'

async function written(person: Person, number: string, digits: string, text: string, name = 'Grace') {
  await world.says(number, digits, text, name)
  return until(async () => {
    const { items } = await person.api(whatsappConversations.list, { query: { q: digits } })
    const found = items.find((one) => one.phone === `+${digits}`)
    if (!found) return undefined
    const { items: messages } = await person.api(whatsappConversations.messages, {
      params: { id: found.id },
      query: {},
    })
    return messages.some((one) => one.text === text) && found
  }, `${digits} wrote “${text}”`)
}

const fetchMessages = async (person: Person, id: string) =>
  (await person.api(whatsappConversations.messages, { params: { id }, query: {} })).items

test('inbox: a message opens the window, and a reply is sent and shown as delivered and read', async () => {
  const { number, account } = await world.connect(ada)
  const conversation = await written(ada, number.phoneNumberId, GRACE, 'Does it come in another color?', 'Grace Höpper')
  expect(conversation).toMatchObject({
    accountId: account.id,
    name: 'Grace Höpper',
    phone: `+${GRACE}`,
    unread: 1,
    state: 'open',
    optedOut: false,
  })
  expect(await ada.api(whatsappUnread.count)).toEqual({ conversations: 1 })
  expect(Date.parse(conversation.windowEndsAt ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  const params = { id: conversation.id }
  const sent = await ada.api(whatsappConversations.reply, {
    params,
    body: { message: { kind: 'text', text: 'It does: in green.' } },
  })
  expect(sent).toMatchObject({ direction: 'out', author: { kind: 'user', name: 'Ada Lovelace' }, error: '' })
  await until(
    async () => (await fetchMessages(ada, conversation.id)).find((one) => one.status === 'delivered'),
    'delivered',
  )
  expect((await world.chat(number.phoneNumberId, GRACE)).map((one) => one.text)).toEqual([
    'Does it come in another color?',
    'It does: in green.',
  ])
  await world.act(number.phoneNumberId, GRACE, { act: 'read' })
  await until(
    async () => (await fetchMessages(ada, conversation.id)).find((one) => one.status === 'read' && one.readAt),
    'read',
  )
  const buttons = { kind: 'buttons' as const, text: 'Which one?', buttons: ['Green', 'Blue'] }
  const same = { ...buttons, buttons: ['Green', 'Green'] }
  await expect(ada.api(whatsappConversations.reply, { params, body: { message: same } })).rejects.toMatchObject({
    status: 400,
  })
  await ada.api(whatsappConversations.reply, { params, body: { message: buttons } })
  const shown = (await world.chat(number.phoneNumberId, GRACE)).at(-1)
  await world.act(number.phoneNumberId, GRACE, { act: 'button', messageId: shown?.id ?? '', index: 1 })
  await until(
    async () =>
      (await fetchMessages(ada, conversation.id)).find((one) => one.direction === 'in' && one.text === 'Blue'),
    'the tap',
  )
  expect(await ada.api(whatsappConversations.get, { params })).toMatchObject({ heldUntil: expect.any(String) })
})

test('inbox: after 24 hours only a template with a recorded consent is sent', async () => {
  const { number, account } = await world.connect(ada)
  const conversation = await written(ada, number.phoneNumberId, '447911123457', 'Hello')
  await t.services.db
    .updateTable('whatsappConversations')
    .set({ lastInAt: new Date(Date.now() - 25 * 3_600_000) })
    .where('id', '=', conversation.id)
    .execute()
  const params = { id: conversation.id }
  await expect(
    ada.api(whatsappConversations.reply, { params, body: { message: { kind: 'text', text: 'Still there?' } } }),
  ).rejects.toMatchObject({ status: 409, code: 'window_closed' })
  const { items } = await until(async () => {
    const page = await ada.api(whatsappTemplates.list, { query: { accountId: account.id } })
    return page.items.length > 0 && page
  }, 'templates')
  const template = items.find(({ name }) => name === 'order_update')
  expect(template).toMatchObject({ sendable: true, variables: [{ key: 'body.1', example: 'Ada' }, { key: 'body.2' }] })
  const message = {
    kind: 'template' as const,
    templateId: template?.id ?? '',
    variables: { 'body.1': 'Grace', 'body.2': 'A-7' },
  }
  await expect(ada.api(whatsappConversations.reply, { params, body: { message } })).rejects.toMatchObject({
    status: 409,
    code: 'no_consent',
  })
  await expect(
    ada.api(whatsappConversations.reply, { params, body: { message: { ...message, variables: {} } } }),
  ).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'variables.body.1' }, { field: 'variables.body.2' }],
  })
  const contact = await ada.api(contacts.create, {
    body: { phone: '+447911123457', email: 'grace@example.com', name: 'Grace' },
  })
  const start = {
    accountId: account.id,
    contactId: contact.id,
    templateId: template?.id ?? '',
    variables: message.variables,
  }
  await expect(ada.api(whatsappConversations.start, { body: start })).rejects.toMatchObject({ code: 'no_consent' })
  await ada.api(whatsappConsents.create, {
    body: {
      contactIds: [contact.id],
      how: 'form',
      purpose: 'order news',
      covers: ['utility'],
      givenAt: '2026-10-01T10:00:00Z',
    },
  })
  // Made a contact after the first word: the conversation is theirs.
  expect(await ada.api(whatsappConversations.get, { params })).toMatchObject({
    contactId: contact.id,
    hasConsent: true,
  })
  const started = await ada.api(whatsappConversations.start, { body: start })
  expect(started).toMatchObject({ id: conversation.id, contactId: contact.id, hasConsent: true })
  expect((await world.chat(number.phoneNumberId, '447911123457')).at(-1)).toMatchObject({
    kind: 'template',
    text: 'Hi Grace, your order A-7 is on its way.',
  })
  expect(await ada.api(whatsappNumbers.get, { params: { id: account.id } })).toMatchObject({ usedToday: 1 })
})

test('consent: it is recorded for a phone number, and not for a person who opted out', async () => {
  const params = { id: (await ada.api(contacts.create, { body: { phone: '+447911123458' } })).id }
  const noPhone = (await ada.api(contacts.create, { body: { email: 'no-phone@example.com' } })).id
  const gone = (await ada.api(contacts.create, { body: { phone: '+447911123459' } })).id
  await ada
    .api(suppressions.create, {
      body: { address: '+447911123459', channel: 'whatsapp', reason: 'unsubscribe' } as never,
    })
    .catch(() => undefined)
  await t.services.db
    .updateTable('suppressions')
    .set({ reason: 'unsubscribe' })
    .where('addressKey', '=', '+447911123459')
    .execute()
  const body = {
    contactIds: [params.id, noPhone, gone, '999999'],
    how: 'paper' as const,
    purpose: 'news',
    covers: ['marketing' as const],
    givenAt: '2026-10-01T10:00:00Z',
  }
  expect(await ada.api(whatsappConsents.create, { body })).toEqual({
    recorded: 1,
    skipped: [
      { contactId: noPhone, reason: 'no_phone' },
      { contactId: gone, reason: 'opted_out' },
      { contactId: '999999', reason: 'unknown' },
    ],
  })
  const counts = async () =>
    (await ada.api(whatsappConsents.list, { query: { contactId: params.id } })).items.map((one) => one.counts)
  expect(await counts()).toEqual([true])
  await ada.api(contacts.update, { params, body: { phone: '+447911123460' } })
  expect(await counts()).toEqual([false])
  await expect(
    ada.api(whatsappConsents.create, { body: { ...body, givenAt: '2099-01-01T00:00:00Z' } }),
  ).rejects.toMatchObject({ status: 400 })
  const change = t.services.db.updateTable('whatsappConsents').set({ purpose: 'anything' }).execute()
  await expect(change).rejects.toThrow('never changed')
})

test('opt-out: STOP suppresses and is confirmed once, and START of the person undoes it', async () => {
  const { number } = await world.connect(ada)
  const digits = '447911123461'
  const conversation = await written(ada, number.phoneNumberId, digits, 'Bitte STOP!')
  const replies = async () => (await world.chat(number.phoneNumberId, digits)).filter((one) => one.from === 'business')
  await until(async () => (await replies()).length === 1, 'the confirmation')
  expect((await replies())[0]?.text).toContain('keine Werbung mehr')
  const params = { id: conversation.id }
  expect(await ada.api(whatsappConversations.get, { params })).toMatchObject({ optedOut: true })
  const { items } = await ada.api(suppressions.list, { query: { q: digits } })
  expect(items).toMatchObject([{ channel: 'whatsapp', reason: 'unsubscribe', address: `+${digits}` }])
  await world.says(number.phoneNumberId, digits, 'start')
  await until(async () => !(await ada.api(whatsappConversations.get, { params })).optedOut, 'back in')
  await until(async () => (await replies()).length === 2, 'the other confirmation')
  expect((await replies())[1]?.text).toContain('You will hear from')
  await world.act(number.phoneNumberId, digits, { act: 'stop_promotions' })
  await until(async () => (await ada.api(whatsappConversations.get, { params })).optedOut, 'stopped in WhatsApp')
})

test('inbox: a received image is shown, and a file is sent', async () => {
  const { number, account } = await world.connect(ada)
  const digits = '447911123462'
  const conversation = await written(ada, number.phoneNumberId, digits, 'Look')
  await world.act(number.phoneNumberId, digits, { act: 'image', caption: 'my garden' })
  const image = await until(
    async () => (await fetchMessages(ada, conversation.id)).find((one) => one.kind === 'image'),
    'image',
  )
  expect(image).toMatchObject({ text: 'my garden', media: { mimeType: 'image/png' } })
  const file = await t.inject({ url: image.media?.url ?? '', headers: { authorization: `Bearer ${ada.token}` } })
  expect([file.statusCode, file.headers['content-type'], file.rawPayload.subarray(1, 4).toString()]).toEqual([
    200,
    'image/png',
    'PNG',
  ])
  const stranger = await t.person()
  expect(
    (await t.inject({ url: image.media?.url ?? '', headers: { authorization: `Bearer ${stranger.token}` } }))
      .statusCode,
  ).toBe(404)
  const params = { id: conversation.id }
  const upload = (bytes: Uint8Array<ArrayBuffer>, type: string) => {
    const form = new FormData()
    form.set('file', new File([bytes], 'offer.pdf', { type }))
    return ada.api(whatsappConversations.upload, { query: { accountId: account.id }, form })
  }
  const { mediaId, kind } = await upload(new TextEncoder().encode('%PDF-1.7'), 'application/pdf')
  expect(kind).toBe('document')
  const sent = await ada.api(whatsappConversations.reply, {
    params,
    body: { message: { kind: 'document', mediaId, fileName: 'offer.pdf' } },
  })
  expect(sent).toMatchObject({ kind: 'document', media: { fileName: 'offer.pdf' }, error: '' })
  await expect(upload(new Uint8Array(5 * 1024 * 1024 + 1), 'image/png')).rejects.toMatchObject({
    status: 413,
    code: 'too_large',
  })
  await expect(upload(new Uint8Array(5), 'application/x-msdownload')).rejects.toMatchObject({ status: 415 })
})

test('inbox: a message whose reply is lost is unconfirmed until its webhook event arrives', async () => {
  const { number } = await world.connect(ada)
  const reply = async (digits: string) => {
    const conversation = await written(ada, number.phoneNumberId, digits, 'Hello')
    const params = { id: conversation.id }
    const sent = await ada.api(whatsappConversations.reply, { params, body: { message: { kind: 'text', text: 'Hi' } } })
    return { ...conversation, sent }
  }
  const lost = await reply('447700900200')
  await until(
    async () => (await fetchMessages(ada, lost.id)).find((one) => one.text === 'Hi' && one.status === 'delivered'),
    'settled',
  )
  const silent = await reply('447700900201')
  expect(silent.sent).toMatchObject({
    status: 'unconfirmed',
    error: expect.stringContaining('broke before its response'),
  })
  const refused = await reply('447700900026')
  expect(refused.sent).toMatchObject({
    status: 'failed',
    errorCode: 131026,
    error: expect.stringContaining('could not be delivered'),
  })
  const later = await reply('447700900126')
  await until(
    async () => (await fetchMessages(ada, later.id)).find((one) => one.status === 'failed' && one.errorCode === 131026),
    'failed later',
  )
  const reordered = await reply('447700900204')
  const read = await until(
    async () =>
      (await fetchMessages(ada, reordered.id)).find((one) => one.status === 'read' && one.sentAt && one.deliveredAt),
    'all of it',
  )
  expect(read.readAt).not.toBeNull()
})

test('inbox: a conversation is assigned, noted and closed, and a new message opens it again', async () => {
  const { number } = await world.connect(ada)
  const digits = '447911123463'
  const conversation = await written(ada, number.phoneNumberId, digits, 'One')
  const params = { id: conversation.id }
  const stranger = await t.person()
  await expect(
    ada.api(whatsappConversations.update, { params, body: { assignedTo: stranger.id } }),
  ).rejects.toMatchObject({ status: 400 })
  const { items: people } = await ada.api(whatsappConversations.people)
  expect(people).toEqual([{ id: ada.id, name: 'Ada Lovelace' }])
  await ada.api(whatsappConversations.reply, { params, body: { message: { kind: 'note', text: 'wants green' } } })
  const closed = await ada.api(whatsappConversations.update, {
    params,
    body: { assignedTo: ada.id, state: 'closed', read: true },
  })
  expect(closed).toMatchObject({ state: 'closed', unread: 0, assignedTo: { id: ada.id } })
  expect((await world.chat(number.phoneNumberId, digits)).map((one) => [one.text, one.status])).toEqual([
    ['One', 'read'],
  ])
  await written(ada, number.phoneNumberId, digits, 'Two')
  expect(await ada.api(whatsappConversations.get, { params })).toMatchObject({ state: 'open', unread: 1 })
  const list = await ada.api(whatsappConversations.list, { query: { assigned: 'me', limit: 1 } })
  expect(list.items.map((one) => one.id)).toEqual([conversation.id])
})

test('consent: the summary of lists counts consented, suppressed and collected contacts', async () => {
  const eve = await t.person()
  const listId = await phonesList(t.services, eve, phones(2, 900))
  const found = await phonesList(t.services, eve, phones(2, 910), false)
  await t.services.db
    .updateTable('contacts')
    .set({ source: 'collected' })
    .where('workspaceId', '=', eve.workspaceId)
    .where('phone', '=', '+447400000910')
    .execute()
  await eve.api(suppressions.create, { body: { address: '+447400000901', channel: 'whatsapp' } })
  expect(await eve.api(whatsappConsents.state, { query: { listIds: `${listId},${found}` } })).toEqual({
    members: 4,
    withPhone: 4,
    scopedOnly: 0,
    covers: { marketing: 1, utility: 1, authentication: 1 },
    consented: 1,
    suppressed: 1,
    collected: 1,
  })
})

test('inbox: replies count toward the month, a failed one is released, and the limit is enforced', async () => {
  const eve = await t.person({ plan: 'free' })
  const { number } = await world.connect(eve)
  const first = await written(eve, number.phoneNumberId, '447911123470', 'Hello')
  const nobody = await written(eve, number.phoneNumberId, '447700900026', 'Hello')
  const say = ({ id }: { id: string }, text: string) =>
    eve.api(whatsappConversations.reply, { params: { id }, body: { message: { kind: 'text', text } } })
  const month = () => t.services.db.selectFrom('usageMonths').where('workspaceId', '=', eve.workspaceId)
  const used = async () => Number((await month().select('whatsappMessages').executeTakeFirst())?.whatsappMessages)
  await say(first, 'One')
  expect(await used()).toBe(1)
  expect(await say(nobody, 'Two')).toMatchObject({ status: 'failed', errorCode: 131026 })
  expect(await used()).toBe(1)
  await t.services.db
    .updateTable('usageMonths')
    .set({ whatsappMessages: '249' })
    .where('workspaceId', '=', eve.workspaceId)
    .execute()
  await say(first, 'Three')
  await expect(say(first, 'Four')).rejects.toMatchObject({ status: 402, code: 'quota_used_up' })
  expect((await fetchMessages(eve, first.id)).map(({ text }) => text)).toEqual(['Three', 'One', 'Hello'])
  // Who stops hears once that it was heard, and that counts as far as there is room.
  await written(eve, number.phoneNumberId, '447911123470', 'STOP')
  await until(
    async () => (await world.chat(number.phoneNumberId, '447911123470')).some(({ text }) => /no more/.test(text)),
    'the last word',
  )
  expect(await used()).toBe(250)
})

test('WhatsApp template: one is created and reviewed, and a webhook event changes its status', async () => {
  const { account } = await world.connect(ada)
  const body = {
    accountId: account.id,
    name: 'autumn_news',
    language: 'en',
    category: 'MARKETING' as const,
    header: { format: 'text' as const, text: 'News for {{company}}', example: 'Babbage & Co' },
    body: 'Hello {{first_name}}, there is news for you and for {{company}} today.',
    examples: { first_name: 'Ada', company: 'Babbage & Co' },
    footer: 'Tap Stop promotions to opt out',
    buttons: [{ type: 'quick_reply' as const, text: 'Stop promotions' }],
  }
  const made = await ada.api(whatsappTemplates.create, { body })
  expect(made).toMatchObject({
    status: 'PENDING',
    sendable: false,
    header: { format: 'text' },
    variables: [{ key: 'header' }, { key: 'body.first_name' }, { key: 'body.company' }],
  })
  const show = () => ada.api(whatsappTemplates.get, { params: { id: made.id } })
  await until(async () => (await show()).sendable, 'approved')
  await world.admin.api(sandboxWhatsApp.review, {
    params: { name: 'autumn_news' },
    body: { status: 'PAUSED', reason: 'LOW_QUALITY' },
  })
  await until(async () => (await show()).status === 'PAUSED', 'paused')
  expect(await show()).toMatchObject({ sendable: false, reason: 'LOW_QUALITY' })
  const refused = async (change: object, field: string) =>
    expect(ada.api(whatsappTemplates.create, { body: { ...body, name: 'other', ...change } })).rejects.toMatchObject({
      status: 400,
      details: [{ field }],
    })
  await refused({ body: '{{first_name}} hello there, this begins with a variable' }, 'body')
  await refused({ body: 'Hello there {{1}} and {{first_name}} and so on' }, 'body')
  await refused({ examples: {} }, 'examples')
  await refused({ name: 'Not Allowed' }, 'name')
  await expect(ada.api(whatsappTemplates.create, { body })).rejects.toMatchObject({
    status: 409,
    code: 'refused_by_meta',
  })
  const rejected = await ada.api(whatsappTemplates.create, { body: { ...body, name: 'reject_me' } })
  await until(
    async () => (await ada.api(whatsappTemplates.get, { params: { id: rejected.id } })).reason === 'INVALID_FORMAT',
    'rejected',
  )
  expect(await ada.api(whatsappTemplates.sync, { body: { accountId: account.id } })).toMatchObject({
    found: 5,
    removed: 0,
  })
  await ada.api(whatsappTemplates.remove, { params: { id: made.id } })
  expect(await ada.api(whatsappTemplates.sync, { body: { accountId: account.id } })).toMatchObject({
    found: 4,
    added: 0,
    removed: 0,
  })
})

test('WhatsApp webhook: an unsigned, forged, repeated or broken event changes nothing', async () => {
  const { number, account } = await world.connect(ada)
  const { appSecret, phoneNumberId, businessAccountId } = number
  const digits = '447911123465'
  const buildWebhook = (id: string, text: string) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: businessAccountId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { phone_number_id: phoneNumberId },
              contacts: [{ profile: { name: 'Gr\u0000ace \ud83d' }, wa_id: digits }],
              messages: [{ from: digits, id, timestamp: '1749416383', type: 'text', text: { body: text } }],
            },
          },
        ],
      },
    ],
  })
  expect((await bring(t, buildWebhook('wamid.1', 'forged'), 'another secret')).statusCode).toBe(401)
  expect((await bring(t, buildWebhook('wamid.1', 'forged'), appSecret, { signature: '' })).statusCode).toBe(401)
  expect((await bring(t, buildWebhook('wamid.1', 'forged'), appSecret, { signature: 'sha256=zz' })).statusCode).toBe(
    401,
  )
  expect((await bring(t, '{"object":', appSecret)).statusCode).toBe(401)
  expect((await bring(t, { object: 'page', entry: [] }, appSecret)).statusCode).toBe(401)
  const other = await world.connect(ada)
  // Signed with a right secret, but about another number: one app's secret speaks only for its numbers.
  expect((await bring(t, buildWebhook('wamid.1', 'forged'), other.number.appSecret)).statusCode).toBe(401)
  for (let i = 0; i < 3; i++)
    expect((await bring(t, buildWebhook('wamid.2', 'true \u0000words'), appSecret)).statusCode).toBe(200)
  expect(
    (
      await bring(
        t,
        {
          ...buildWebhook('wamid.3', 'x'),
          entry: [
            {
              id: businessAccountId,
              changes: [
                { field: 'brand_new', value: { odd: [1] } },
                {
                  field: 'messages',
                  value: {
                    metadata: { phone_number_id: phoneNumberId },
                    statuses: [{ id: 'wamid.unknown', status: 'read' }, 5, null],
                    messages: ['x'],
                  },
                },
              ],
            },
          ],
        },
        appSecret,
      )
    ).statusCode,
  ).toBe(200)
  const conversation = await until(
    async () => (await ada.api(whatsappConversations.list, { query: { accountId: account.id } })).items[0],
    'conversation',
  )
  await until(async () => {
    const left = await t.services.db
      .selectFrom('whatsappWebhookEvents')
      .where('accountId', '=', account.id)
      .where('handledAt', 'is', null)
      .select('id')
      .execute()
    return left.length === 0
  }, 'all handled')
  expect((await fetchMessages(ada, conversation.id)).map((one) => one.text)).toEqual(['true words'])
  expect(await ada.api(whatsappConversations.get, { params: { id: conversation.id } })).toMatchObject({ unread: 1 })
})

test('inbox: a search finds earlier messages, and foreign campaigns are not found', async () => {
  const person = await t.person()
  const { number } = await world.connect(person)
  await written(person, number.phoneNumberId, '447911123471', 'Where is parcel A-1042?')
  const { id } = await written(person, number.phoneNumberId, '447911123471', 'Never mind')
  await written(person, number.phoneNumberId, '447911123472', 'Good morning')
  const found = (await person.api(whatsappConversations.list, { query: { q: 'PARCEL a-1042' } })).items
  expect(found.map((one) => one.id)).toEqual([id])
  const params = { id }
  expect((await person.api(whatsappConversations.campaigns, { params })).items).toEqual([])
  await expect(ada.api(whatsappConversations.campaigns, { params })).rejects.toMatchObject({ status: 404 })
})
