import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { mailMerge } from '#contracts/campaigns/channels/gmail/mail-merge.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
let ada: Person
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person()
})

const draft = async () => {
  const list = await ada.api(lists.create, { body: { name: 'Nobody yet' } })
  return draftTo(ada, list.id, { channel: 'gmail', subject: 'About {{ attributes.company }}' })
}
const step = (afterMinutes: number, change: Record<string, unknown> = {}) => ({
  afterMinutes,
  html: `<p>Step after ${afterMinutes}</p>`,
  ...change,
})
const save = (id: string, items: ReturnType<typeof step>[]) =>
  ada.api(followUps.save, { params: { id }, body: { items } })

test('follow-up: steps are saved together, retain their ids by position and belong to the campaign', async () => {
  const { id } = await draft()
  const first = await save(id, [step(60), step(120, { stopOnReply: false, stopOnClick: true })])
  expect(first.items.map(({ step, afterMinutes, subject }) => [step, afterMinutes, subject])).toEqual([
    [2, 60, 'Re: About {{ attributes.company }}'],
    [3, 120, 'Re: About {{ attributes.company }}'],
  ])
  expect(first.items[1]).toMatchObject({ stopOnReply: false, stopOnClick: true, nextAt: null, replied: null })
  const second = await save(id, [step(90)])
  expect(second.items.map((one) => [one.id, one.afterMinutes])).toEqual([[first.items[0]?.id, 90]])
  expect(await ada.api(followUps.list, { params: { id } })).toEqual(second)
  expect((await ada.api(campaigns.get, { params: { id } })).followUps).toBe(1)
  const listed = await ada.api(campaigns.list, { query: { channel: 'gmail' } })
  expect(listed.items.map((one) => one.id)).not.toContain(second.items[0]?.id)
  const one = { id: second.items[0]?.id ?? '' }
  expect(await ada.api(campaigns.get, { params: one })).toMatchObject({ parentId: id, step: 2 })
  await expect(ada.api(campaigns.update, { params: one, body: { name: 'x' } })).rejects.toMatchObject({ status: 409 })
  await expect(ada.api(campaigns.send, { params: one, body: {} })).rejects.toMatchObject({ status: 409 })
  await expect(ada.api(campaigns.remove, { params: one })).rejects.toMatchObject({ status: 409 })
})

test('follow-up: invalid steps are refused by field, and none is stored', async () => {
  const { id } = await draft()
  await expect(save(id, [step(0)])).rejects.toMatchObject({ status: 400 })
  await expect(
    save(
      id,
      Array.from({ length: 11 }, () => step(5)),
    ),
  ).rejects.toMatchObject({ status: 400 })
  await expect(save(id, [step(5), step(5, { templateId: '999999' })])).rejects.toMatchObject({ status: 400 })
  expect((await ada.api(followUps.list, { params: { id } })).items).toEqual([])
  const mail = await draftTo(ada, await listWith(t.services, ada, 1))
  await expect(save(mail.id, [step(5)])).rejects.toMatchObject({ code: 'wrong_channel' })
})

test('mail merge: rows become recipients and columns fields, and a new file replaces them', async () => {
  const { id } = await draft()
  const upload = (text: string, mapping?: Record<string, string>) => {
    const form = new FormData()
    form.set('file', new Blob([text]), 'pasted rows.tsv')
    if (mapping) form.set('mapping', JSON.stringify(mapping))
    return ada.api(mailMerge.upload, { params: { id }, form })
  }
  const rows =
    'E-mail\tFirst name\tCompany\nmia@example.com\tMia\tFirm M\nnot an address\tX\tY\nnoa@example.com\tNoa\tFirm N\nMia@Example.com\tMia\tFirm M\n'
  const { importId, listId, campaign } = await upload(rows)
  expect(campaign).toMatchObject({ listIds: [listId], merge: { importId, listId, fileName: 'pasted rows.tsv' } })
  const done = await until(async () => {
    const job = await ada.api(imports.get, { params: { id: importId } })
    return job.state === 'done' ? job : undefined
  }, 'the rows')
  expect(done).toMatchObject({ imported: 2, errorCount: 1, errors: [{ row: 3 }] })
  const checked = await ada.api(campaigns.check, { params: { id } })
  expect(checked.recipients).toBe(2)
  expect(checked.problems.map(({ code }) => code)).toContain('bad_rows')
  expect(checked.problems.map(({ code }) => code)).not.toContain('unknown_attribute')
  await expect(upload('Name\nMia\n')).rejects.toMatchObject({ status: 400 })
  await expect(upload('Name,Phone\nMia,+49301234567\n', { Phone: 'phone' })).rejects.toMatchObject({ status: 400 })
  expect((await ada.api(campaigns.get, { params: { id } })).merge).toMatchObject({
    ...{ importId, state: 'done', total: 4, bad: 1, people: 2 },
    fields: ['email', 'first_name', 'attributes.company'],
  })
  const again = await upload('email,company\nada@example.com,Firm A\n')
  expect(again.campaign.listIds).toEqual([again.listId])
  await expect(ada.api(lists.get, { params: { id: listId } })).rejects.toMatchObject({ status: 404 })
})
