import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { search } from '#contracts/search/search.ts'
import { templates } from '#contracts/templates/templates.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { manual } from '#server/testing/journey.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const NOTHING = { contacts: [], campaigns: [], templates: [], journeys: [] }

test('search: contacts, campaigns, templates and journeys are found by their texts, in the own workspace only', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const contact = await ada.api(contacts.create, { body: { email: 'lark@spring.example', name: 'Grace Höpper' } })
  const email = await ada.api(campaigns.create, { body: { name: 'Spring 100% off' } })
  const gmail = await ada.api(campaigns.create, { body: { name: 'Hello', subject: 'SPRING news', channel: 'gmail' } })
  const template = await ada.api(templates.create, { body: { name: 'Spring issue', html: '<p>Hi</p>' } })
  const journey = await ada.api(journeys.create, { body: { name: 'Spring welcome', definition: manual([]) } })
  const find = (q: string) => ada.api(search.find, { query: { q } })
  expect(await find(' spring ')).toEqual({
    contacts: [{ id: contact.id, name: 'Grace Höpper', email: 'lark@spring.example', phone: null, isSample: false }],
    campaigns: [
      { id: gmail.id, name: 'Hello', channel: 'gmail', state: 'draft' },
      { id: email.id, name: 'Spring 100% off', channel: 'email', state: 'draft' },
    ],
    templates: [{ id: template.id, name: 'Spring issue' }],
    journeys: [{ id: journey.id, name: 'Spring welcome', state: 'draft' }],
  })
  expect((await find('grace höp')).contacts).toHaveLength(1)
  expect((await find('100%')).campaigns.map(({ id }) => id)).toEqual([email.id])
  expect(await find('1_0%')).toEqual(NOTHING)
  expect(await eve.api(search.find, { query: { q: 'spring' } })).toEqual(NOTHING)
})

test('search: at most five of a kind are found, the newest first, and an empty or long text is refused', async () => {
  const ada = await t.person()
  for (let n = 1; n <= 6; n++) await ada.api(contacts.create, { body: { email: `r${n}@many.example` } })
  const found = (await ada.api(search.find, { query: { q: 'many' } })).contacts.map(({ email }) => email)
  expect(found).toEqual([6, 5, 4, 3, 2].map((n) => `r${n}@many.example`))
  for (const q of ['', '  ', 'x'.repeat(101)])
    await expect(ada.api(search.find, { query: { q } })).rejects.toMatchObject({ status: 400 })
})
