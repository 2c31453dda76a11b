import { expect, test } from 'vitest'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { type Person, sharedApp } from '#server/testing/app.ts'

const t = await sharedApp()

async function ownNumber(person: Person) {
  const number = await person.api(sandboxWhatsApp.addNumber, { body: { name: 'Own business' } })
  const { phoneNumberId, businessAccountId, accessToken, appSecret } = number
  await person.api(whatsappNumbers.create, { body: { phoneNumberId, businessAccountId, accessToken, appSecret } })
  return number
}

test('sandbox phone: a workspace has sandbox numbers of its own and reaches no other’s', async () => {
  const [ada, ben] = [await t.person(), await t.person()]
  const admin = await t.person({ role: 'admin' })
  const [hers, his] = [await ownNumber(ada), await ownNumber(ben)]
  const own = await ada.api(sandboxWhatsApp.numbers, { query: {} })
  expect(own.items.map(({ phoneNumberId }) => phoneNumberId)).toEqual([hers.phoneNumberId])
  const params = { number: his.phoneNumberId, person: '447911123400' }
  await ben.api(sandboxWhatsApp.say, { params, body: { deed: { act: 'image', caption: 'Mine' } } })
  const [message] = (await ben.api(sandboxWhatsApp.messages, { params })).items
  const fileId = message?.media?.id ?? ''
  const media = (person: Person) =>
    t.inject({ url: `/api/sandbox/whatsapp/media/${fileId}`, headers: { authorization: `Bearer ${person.token}` } })
  expect([(await media(ben)).statusCode, (await media(ada)).statusCode]).toEqual([200, 404])

  const missing = { status: 404 }
  await expect(ada.api(sandboxWhatsApp.messages, { params })).rejects.toMatchObject(missing)
  const deed = { act: 'text' as const, text: 'Hello' }
  await expect(ada.api(sandboxWhatsApp.say, { params, body: { deed } })).rejects.toMatchObject(missing)
  const form = new FormData()
  form.set('file', new Blob(['x'], { type: 'text/plain' }), 'x.txt')
  await expect(ada.api(sandboxWhatsApp.sendFile, { params, query: {}, form })).rejects.toMatchObject(missing)
  expect((await ada.api(sandboxWhatsApp.chats, { query: {} })).items).toEqual([])
  expect((await ben.api(sandboxWhatsApp.chats, { query: {} })).items).toMatchObject([{ person: params.person }])
  await expect(ada.api(sandboxWhatsApp.chats, { query: { of: 'all' } })).rejects.toMatchObject({ status: 403 })
  const everything = (await admin.api(sandboxWhatsApp.numbers, { query: {} })).items
  expect(everything.map(({ phoneNumberId }) => phoneNumberId)).toEqual(
    expect.arrayContaining([hers.phoneNumberId, his.phoneNumberId]),
  )
})

test('sandbox phone: a review decides about templates of the own workspace only', async () => {
  const [ada, ben] = [await t.person(), await t.person()]
  await ownNumber(ada)
  const his = await ownNumber(ben)
  const status = async (person: Person) =>
    (await person.api(sandboxWhatsApp.templates, { query: {} })).items.find(({ name }) => name === 'hello_world')
      ?.status
  const pause = { status: 'PAUSED' as const, businessAccountId: his.businessAccountId }
  const params = { name: 'hello_world' }
  await expect(ada.api(sandboxWhatsApp.review, { params, body: pause })).rejects.toMatchObject({ status: 404 })
  await ada.api(sandboxWhatsApp.review, { params, body: { status: 'PAUSED' } })
  await ada.api(sandboxWhatsApp.reviewByHand, { body: { byHand: true } })
  expect([await status(ada), await status(ben)]).toEqual(['PAUSED', 'APPROVED'])
  expect((await ben.api(sandboxWhatsApp.templates, { query: {} })).byHand).toBe(false)
})

test('sandbox phone: a workspace has five numbers at most, and shares a portfolio with its own only', async () => {
  const [ada, ben] = [await t.person(), await t.person()]
  const his = await ownNumber(ben)
  const body = { name: 'Shared', portfolioOf: his.phoneNumberId }
  await expect(ada.api(sandboxWhatsApp.addNumber, { body })).rejects.toMatchObject({ status: 400 })
  for (let n = 0; n < 5; n++) await ada.api(sandboxWhatsApp.addNumber, { body: { name: `Business ${n}` } })
  await expect(ada.api(sandboxWhatsApp.addNumber, { body: { name: 'One more' } })).rejects.toMatchObject({
    status: 409,
    code: 'too_many',
  })
})
