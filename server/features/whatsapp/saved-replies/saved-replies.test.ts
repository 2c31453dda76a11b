import { expect, test } from 'vitest'
import { MAX_SAVED_REPLIES, whatsappSavedReplies } from '#contracts/whatsapp/saved-replies.ts'
import { sharedApp } from '#server/testing/app.ts'

const t = await sharedApp()

test('saved reply: it is created, changed, listed by name and deleted', async () => {
  const ada = await t.person()
  const hours = await ada.api(whatsappSavedReplies.create, { body: { name: 'Opening hours', text: 'Nine to five.' } })
  await ada.api(whatsappSavedReplies.create, { body: { name: 'address', text: 'Main Street 1, {{first_name}}' } })
  const params = { id: hours.id }
  expect(await ada.api(whatsappSavedReplies.update, { params, body: { text: 'Ten to six.' } })).toMatchObject({
    name: 'Opening hours',
    text: 'Ten to six.',
  })
  const names = async () => (await ada.api(whatsappSavedReplies.list)).items.map(({ name }) => name)
  expect(await names()).toEqual(['address', 'Opening hours'])
  await ada.api(whatsappSavedReplies.remove, { params })
  expect(await names()).toEqual(['address'])
})

test('saved reply: a taken name is refused, in each workspace for itself, and nothing is changed', async () => {
  const [ada, ben] = [await t.person(), await t.person()]
  const body = { name: 'Hours', text: 'Nine to five.' }
  await ada.api(whatsappSavedReplies.create, { body })
  const other = await ada.api(whatsappSavedReplies.create, { body: { ...body, name: 'Other' } })
  const taken = { status: 409, code: 'name_taken' }
  await expect(ada.api(whatsappSavedReplies.create, { body: { ...body, name: 'HOURS' } })).rejects.toMatchObject(taken)
  const params = { id: other.id }
  await expect(ada.api(whatsappSavedReplies.update, { params, body: { name: 'hours' } })).rejects.toMatchObject(taken)
  await ben.api(whatsappSavedReplies.create, { body })
  await expect(ben.api(whatsappSavedReplies.update, { params, body: { text: 'x' } })).rejects.toMatchObject({
    status: 404,
  })
  expect((await ben.api(whatsappSavedReplies.list)).items).toHaveLength(1)
})

test('saved reply: a workspace has a limited number', async () => {
  const ada = await t.person()
  const add = (n: number) => ada.api(whatsappSavedReplies.create, { body: { name: `Reply ${n}`, text: 'x' } })
  await Promise.all(Array.from({ length: MAX_SAVED_REPLIES }, (_, n) => add(n)))
  await expect(add(MAX_SAVED_REPLIES)).rejects.toMatchObject({ status: 409, code: 'too_many' })
})
