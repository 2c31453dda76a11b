import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList, templateNamed, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
})

const BEGINS = {
  'image/png': '89504e470d0a1a0a',
  'image/jpeg': 'ffd8ffe0',
  'video/mp4': '0000001866747970',
  'application/pdf': '255044462d312e37',
}
const MB = 1024 * 1024

/** A file of a type that begins as such a file does. */
function buildFile(type: string, size: number, name = 'sample', begins = BEGINS[type as keyof typeof BEGINS] ?? '') {
  const bytes = Buffer.alloc(size)
  bytes.write(begins, 'hex')
  return new File([bytes], name, { type })
}

function upload(person: Person, accountId: string, file: File) {
  const form = new FormData()
  form.set('file', file)
  return person.api(whatsappTemplates.upload, { query: { accountId }, form })
}

const draft = (accountId: string, name: string, handle: string, format: 'image' | 'video' | 'document') => ({
  accountId,
  name,
  language: 'en',
  category: 'UTILITY' as const,
  header: { format, handle },
  body: 'Hi {{1}}, here is what you asked us for.',
  examples: { 1: 'Ada' },
})

test('WhatsApp template: an image, video or document header is uploaded, reviewed and sent', async () => {
  const ada = await t.person({ plan: 'business' })
  const { account, number } = await world.connect(ada)
  for (const [type, format] of [
    ['image/png', 'image'],
    ['image/jpeg', 'image'],
    ['video/mp4', 'video'],
    ['application/pdf', 'document'],
  ] as const) {
    const sample = await upload(ada, account.id, buildFile(type, 20_000, 'Menu of may.bin'))
    expect(sample).toMatchObject({ format, fileName: 'Menu of may.bin', size: 20_000 })
    const name = `with_${type.replace(/\W/g, '_')}`
    const made = await ada.api(whatsappTemplates.create, { body: draft(account.id, name, sample.handle, format) })
    expect(made).toMatchObject({ status: 'PENDING', header: { format, text: '' }, quality: 'unknown' })
    expect(made.variables[0]).toEqual({ key: 'header', kind: 'media', example: '' })
  }
  await until(async () => (await templateNamed(ada, account.id, 'with_application_pdf')).sendable, 'the review')
  const template = await templateNamed(ada, account.id, 'with_application_pdf')
  const [phone = ''] = phones(1)
  const { id } = await whatsAppDraft(ada, account.id, [await phonesList(t.services, ada, [phone])], {
    templateId: template.id,
    variables: {
      header: { from: 'text', text: 'https://example.com/menu.pdf' },
      'body.1': { from: 'field', field: 'first_name', fallback: 'there' },
    },
  })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await until(async () => (await ada.api(campaigns.get, { params: { id } })).counts.sent === 1, 'the message')
  expect(await world.chat(number.phoneNumberId, phone.slice(1))).toMatchObject([
    {
      text: 'Hi Person, here is what you asked us for.',
      media: { kind: 'document', link: 'https://example.com/menu.pdf' },
    },
  ])
})

test('WhatsApp template: a sample that Meta does not accept is refused by field', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const { account } = await world.connect(ada)
  const theirs = await world.connect(eve)
  const refused = async (file: File, status: number, accountId = account.id) =>
    expect(upload(ada, accountId, file), file.name).rejects.toMatchObject({
      status,
      details: [{ field: accountId === account.id ? 'file' : 'accountId' }],
    })
  await refused(buildFile('image/png', 5 * MB + 1, 'large image'), 413)
  await refused(buildFile('video/mp4', 16 * MB + 1, 'large video'), 413)
  await refused(buildFile('image/gif', 100, 'moving image'), 415)
  await refused(buildFile('application/msword', 100, 'email'), 415)
  await refused(buildFile('image/png', 100, 'no image', '3c68746d6c3e'), 415)
  await refused(buildFile('application/pdf', 0, 'nothing'), 400)
  await refused(buildFile('image/png', 100), 400, theirs.account.id)
  const create = (handle: string, format: 'image' | 'document' = 'image') =>
    ada.api(whatsappTemplates.create, { body: draft(account.id, 'of_nothing', handle, format) })
  // One that was never uploaded, one of another business, one of another kind.
  const other = await upload(eve, theirs.account.id, buildFile('image/png', 100))
  const own = await upload(ada, account.id, buildFile('image/png', 100))
  for (const made of [() => create('4::aW1hZ2U'), () => create(other.handle), () => create(own.handle, 'document')])
    await expect(made()).rejects.toMatchObject({ status: 409, code: 'refused_by_meta', message: /needs a sample/ })
  await expect(create('')).rejects.toMatchObject({ status: 400, details: [{ field: 'header.handle' }] })
  const buttons = [{ type: 'url' as const, text: 'Shop', url: 'bakery.example' }]
  await expect(
    ada.api(whatsappTemplates.create, { body: { ...draft(account.id, 'of_nothing', own.handle, 'image'), buttons } }),
  ).rejects.toMatchObject({ status: 400, details: [{ field: 'buttons.0.url' }] })
  const { items } = await ada.api(whatsappTemplates.list, { query: { accountId: account.id } })
  expect(items.map(({ name }) => name)).not.toContain('of_nothing')
})

test('WhatsApp template: its quality is updated by webhook event and by sync', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const { account } = await world.connect(ada)
  expect((await templateNamed(ada, account.id, 'seasonal_offer')).quality).toBe('unknown')
  const rate = (quality: 'GREEN' | 'YELLOW' | 'RED') =>
    world.admin.api(sandboxWhatsApp.quality, { params: { name: 'seasonal_offer' }, body: { quality } })
  for (const quality of ['YELLOW', 'RED', 'GREEN'] as const) {
    await rate(quality)
    await until(
      async () => (await templateNamed(ada, account.id, 'seasonal_offer')).quality === quality.toLowerCase(),
      quality,
    )
  }
  // Of a business account connected later: read with its templates.
  const later = await world.connect(eve)
  await rate('RED')
  await eve.api(whatsappTemplates.sync, { body: { accountId: later.account.id } })
  expect((await templateNamed(eve, later.account.id, 'seasonal_offer')).quality).toBe('red')
  expect((await templateNamed(ada, account.id, 'order_update')).quality).toBe('unknown')
})
