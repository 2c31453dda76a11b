import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

test('campaign: preview text, sender name and Reply-To are in the sent email', async () => {
  const person = await t.person()
  expect((await person.api(senders.list, { query: {} })).items[0]?.state).toBe('untested')
  const draft = await draftTo(person, await listWith(t.services, person, 1, () => 'envelope@example.com'), {
    html: '<html><body class="a>b"><p>Body of {{ first_name }} {{ last_name }}</p></body></html>',
    preheader: '<b>{{ first_name }}</b>, see “5 < 6”',
    fromName: 'Ada, at Engines',
    replyTo: 'answers@example.org',
  })
  expect(draft).toMatchObject({
    preheader: '<b>{{ first_name }}</b>, see “5 < 6”',
    fromName: 'Ada, at Engines',
    replyTo: 'answers@example.org',
  })
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilState(person, draft.id, ['sent'])
  // A message that was accepted shows that its sender works.
  const [sender] = (await person.api(senders.list, { query: {} })).items
  expect(sender?.state).toBe('working')
  const mail = await t.sink.mailTo('envelope@example.com')
  expect(mail.replyTo).toMatchObject([{ address: 'answers@example.org' }])
  expect(mail.from?.name).toBe('Ada, at Engines')
  const html = String(mail.html)
  // Hidden, before everything else, as text and not as markup.
  expect(html).toMatch(/<body class="a>b"><div style="display:none[^"]*">&lt;b&gt;Person&lt;\/b&gt;, see “5 &lt; 6”/)
  expect(html).toContain('Body of Person 1')
  expect(mail.text).toContain('Body of Person 1')
  expect(mail.text).not.toContain('see “5')
})

test.each([
  ['replyTo', 'a line break', 'a@example.com\r\nBcc: victim@example.com'],
  ['replyTo', 'no address', 'nobody'],
  ['preheader', 'a line break', 'one\r\ntwo'],
  ['preheader', '10,000 characters', 'x'.repeat(10_000)],
  ['fromName', 'a line break', 'Ada\nBcc: victim@example.com'],
  ['fromName', '81 characters', 'x'.repeat(81)],
])('campaign: a %s with %s is refused, and the draft stays as it was', async (field, _what, value) => {
  const person = await t.person()
  const draft = await person.api(campaigns.create, { body: { name: 'Kept' } })
  const response = await t.inject({
    method: 'PATCH',
    url: `/api/campaigns/${draft.id}`,
    headers: { authorization: `Bearer ${person.token}` },
    payload: { [field]: value },
  })
  expect(response.statusCode).toBe(400)
  expect(response.json().details[0].field).toBe(field)
  expect(await person.api(campaigns.get, { params: { id: draft.id } })).toMatchObject({
    preheader: '',
    fromName: '',
    replyTo: null,
  })
})

test('campaign: a fault in the preview text is reported as its own', async () => {
  const person = await t.person()
  const draft = await draftTo(person, await listWith(t.services, person, 1, () => 'fault@example.com'), {
    preheader: 'For {{ nickname }}',
  })
  const { ok, problems } = await person.api(campaigns.check, { params: { id: draft.id } })
  expect(ok).toBe(false)
  expect(problems).toContainEqual(
    expect.objectContaining({ code: 'content_subject', message: expect.stringContaining('Preview text: ') }),
  )
})

test('campaign: a Reply-To is refused on WhatsApp and dropped with a change of channel', async () => {
  const person = await t.person({ plan: 'pro' })
  await expect(
    person.api(campaigns.create, { body: { name: 'Chat', channel: 'whatsapp', replyTo: 'a@example.com' } }),
  ).rejects.toMatchObject({ status: 400 })
  const draft = await person.api(campaigns.create, { body: { name: 'Mail', replyTo: 'a@example.com' } })
  const moved = await person.api(campaigns.update, { params: { id: draft.id }, body: { channel: 'gmail' } })
  expect(moved.replyTo).toBeNull()
})
