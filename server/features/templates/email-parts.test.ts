import { beforeAll, expect, test } from 'vitest'
import { blocks, brand } from '#contracts/templates/parts.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
let ada: Person
let eve: Person
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person({ name: 'Ada' })
  eve = await t.person({ name: 'Eve' })
})

const SECTION = '<mj-section><mj-column><mj-text>Dear {{ name }}</mj-text></mj-column></mj-section>\n'

test('saved block: it is created, renamed and removed, and other workspaces do not see it', async () => {
  const block = await ada.api(blocks.create, { body: { name: 'Head', mjml: SECTION } })
  expect(block).toMatchObject({ name: 'Head', mjml: SECTION })
  const params = { id: block.id }
  await expect(eve.api(blocks.change, { params, body: { name: 'Mine' } })).rejects.toMatchObject({ status: 404 })
  await expect(eve.api(blocks.remove, { params })).rejects.toMatchObject({ status: 404 })
  expect((await eve.api(blocks.list)).items).toEqual([])
  expect((await ada.api(blocks.change, { params, body: { name: 'Header' } })).name).toBe('Header')
  expect((await ada.api(blocks.list)).items.map(({ name }) => name)).toEqual(['Header'])
  await ada.api(blocks.remove, { params })
  expect((await ada.api(blocks.list)).items).toEqual([])
})

test.each([
  ['a condition around it', `<mj-raw>{% if name %}</mj-raw>\n${SECTION}<mj-raw>{% endif %}</mj-raw>\n`],
  ['one element of a column', '<mj-button href="https://shop.test">See it</mj-button>\n'],
])('saved block: it may be %s', async (_, mjml) => {
  const { id } = await ada.api(blocks.create, { body: { name: 'Piece', mjml } })
  await ada.api(blocks.remove, { params: { id } })
})

test.each([
  ['text', 'hello'],
  ['a whole email', `<mjml><mj-body>${SECTION}</mj-body></mjml>`],
  ['an element that does not exist', '<mj-nothing>x</mj-nothing>'],
  ['an element that is not closed', '<mj-section><mj-column>'],
  ['files of others', '<mj-include path="/etc/passwd" />'],
])('saved block: %s is refused with the field mjml', async (_, mjml) => {
  await expect(ada.api(blocks.create, { body: { name: 'x', mjml } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'mjml' }],
  })
})

test('saved block: a workspace has at most a hundred, even with concurrent requests', async () => {
  const full = await t.person()
  await t.services.db
    .insertInto('savedBlocks')
    .values(Array.from({ length: 98 }, (_, n) => ({ workspaceId: full.workspaceId, name: `${n}`, mjml: SECTION })))
    .execute()
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => full.api(blocks.create, { body: { name: 'x', mjml: SECTION } })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'too_many_blocks' } })
  expect((await full.api(blocks.list)).items).toHaveLength(100)
})

test('brand: it is stored per workspace, and unsafe colors and fonts are refused', async () => {
  expect(await eve.api(brand.get)).toEqual({ colors: [], textFont: '', headingFont: '' })
  const mine = {
    colors: ['#0B6B86', '#ffcc00'],
    textFont: 'Verdana, sans-serif',
    headingFont: "Georgia, 'Times New Roman'",
  }
  expect((await ada.api(brand.set, { body: mine })).colors).toEqual(['#0b6b86', '#ffcc00'])
  expect(await ada.api(brand.get)).toEqual({ ...mine, colors: ['#0b6b86', '#ffcc00'] })
  expect((await eve.api(brand.get)).colors).toEqual([])
  for (const body of [
    { ...mine, colors: ['red'] },
    { ...mine, colors: Array.from({ length: 9 }, () => '#000000') },
    { ...mine, textFont: 'x" onclick="alert(1)' },
    { ...mine, textFont: 'x; background: url(//evil.test)' },
  ])
    await expect(ada.api(brand.set, { body })).rejects.toMatchObject({ status: 400 })
})

test('brand: every starter template gets the colors and fonts of the workspace and stays readable', async () => {
  const person = await t.person()
  // Too light for white words: the starters take a darker shade of it.
  await person.api(brand.set, { body: { colors: ['#ffcc00'], textFont: 'Verdana', headingFont: 'Georgia' } })
  const { items } = await t.api(templates.starters)
  for (const { id, name, accent, subject, mjml } of items) {
    const made = await person.api(templates.create, { body: { name, starter: id } })
    expect(made.subject).toBe(subject)
    expect(made.problems.filter(({ code }) => code === 'contrast' || code.endsWith('_syntax'))).toEqual([])
    if (accent) {
      expect(mjml).toContain(accent)
      expect(made.mjml).not.toContain(accent)
    }
    if (mjml) expect(made.mjml).toContain('<mj-all font-family="Verdana"')
  }
  const plain = await eve.api(templates.create, { body: { name: 'Plain', starter: 'welcome' } })
  expect(plain.mjml).toBe(items.find(({ id }) => id === 'welcome')?.mjml)
  await expect(eve.api(templates.create, { body: { name: 'x', starter: 'nobody' } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'starter' }],
  })
})
