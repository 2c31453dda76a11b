import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { forms } from '#contracts/contacts/forms.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, openPage, sidewaysScroll, untilStill } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { home, t } from '../support/product.ts'

test('segments: one is built with its count in sight, saved, used as a filter of contacts that are changed, and deleted', async () => {
  const ada = await t.person()
  const { id: vip } = await ada.api(tags.create, { body: { name: 'VIP' } })
  await ada.api(contacts.create, { body: { email: 'bo@example.com', tags: [vip] } })
  await ada.api(contacts.create, { body: { email: 'cy@example.com', attributes: { plan: '12' } } })
  await ada.api(contacts.create, { body: { email: 'di@example.com' } })
  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 320, height: 800 } })
  await page.goto('/contacts/segments')
  await page.getByRole('link', { name: 'Create segment' }).first().click()
  await page.getByText('Complete every condition, or remove it.').waitFor()
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByText('Name is required.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Best customers')
  await page.getByLabel('How many conditions must be true').selectOption('any condition')
  await page.getByLabel('Field').selectOption('Tag')
  await page.getByLabel('Value for Tag').selectOption('VIP')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByLabel('Field').nth(1).selectOption('plan')
  await page.getByLabel('Operator for plan').selectOption('is at least')
  await page.getByLabel('Value for plan').fill('10')
  await page.getByText('2 contacts', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'cy@example.com' }).waitFor()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('button', { name: 'Create segment' }).click()

  await page.getByRole('link', { name: 'View contacts' }).click()
  await page.getByRole('button', { name: 'Segment: Best customers' }).waitFor()
  await page.getByText('bo@example.com').first().waitFor()
  await page.getByText('di@example.com').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Select all', exact: true }).click()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByText('You can undo this for 24 hours under Recent changes').waitFor()
  await page.getByRole('button', { name: 'Unsubscribe 2 contacts' }).click()
  await page.getByText('2 contacts unsubscribed').waitFor()
  await page.getByText('Unsubscribed', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Undone for 2 contacts').waitFor()
  await page.getByText('Unsubscribed', { exact: true }).first().waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select this row' }).first().check()
  await bar.getByRole('button', { name: 'More actions for the selection' }).click()
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
  await page.getByText('1 contact removed').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  // At once: the toast that goes takes the focus, and the menu stays.
  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByText('Undone for 1 contact', { exact: true }).waitFor()
  await page.getByRole('menuitem', { name: 'Recent changes' }).click()
  const changes = page.getByRole('dialog', { name: 'Recent changes' }).getByRole('listitem')
  await changes.getByText('1 contact removed').waitFor()
  await changes.getByText('2 contacts unsubscribed').waitFor()
  await changes.getByText('Undone for 2 contacts.').waitFor()
  await untilStill(page)
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  await page.goto('/contacts/segments')
  await page.getByRole('button', { name: 'Actions for Best customers' }).click()
  await page.getByRole('menuitem', { name: 'Delete segment' }).click()
  await page.getByRole('button', { name: 'Delete segment' }).click()
  await page.getByText('No segments yet').waitFor()
  expect(page.complaints).toEqual([])
})

test('audience: the wizard counts lists and segments without those excluded, and the filters of contacts become a segment', async () => {
  const ada = await t.person()
  const { api } = ada
  const { id: vip } = await api(tags.create, { body: { name: 'VIP' } })
  const [news, old] = [
    await api(lists.create, { body: { name: 'News' } }),
    await api(lists.create, { body: { name: 'Former customers' } }),
  ]
  await api(contacts.create, { body: { email: 'ed@audience.example', lists: [news.id] } })
  await api(contacts.create, { body: { email: 'flo@audience.example', tags: [vip] } })
  await api(contacts.create, { body: { email: 'gil@audience.example', tags: [vip], lists: [old.id] } })
  await api(contacts.create, { body: { phone: '+4930123456', tags: [vip] } })

  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 375, height: 800 } })
  await page.goto(`/contacts?tag=${vip}`)
  await page.getByText('flo@audience.example').first().waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save as segment' }).click()
  await page.getByText('3 contacts', { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('VIPs')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('link', { name: 'View contacts' }).waitFor()

  const { id } = await api(campaigns.create, { body: { name: 'News', subject: 'News', html: '<p>Hi</p>' } })
  await page.goto(`/email-sender/new?id=${id}&step=recipients`)
  await page.getByRole('checkbox', { name: /^News/ }).check()
  await page.getByText('1 person will get it').waitFor()
  await page.getByRole('checkbox', { name: 'VIPs' }).check()
  await page.getByText('3 people will get it').waitFor()
  await page.getByText('without an email address').waitFor()
  await page.getByRole('button', { name: 'Exclude lists or segments' }).click()
  await page.getByRole('group', { name: 'Lists to exclude' }).getByLabel('Former customers').check()
  await page.getByText('2 people will get it').waitFor()
  await page.getByText('excluded by your lists and segments').waitFor()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  const saved = await api(campaigns.get, { params: { id } })
  const { items } = await api(segments.list, { query: {} })
  expect(saved).toMatchObject({ listIds: [news.id], segmentIds: [items[0]?.id], excludeListIds: [old.id] })
  await api(segments.remove, { params: { id: items[0]?.id ?? '' } })
  await page.reload()
  await page.getByText('A segment that this campaign is sent to was deleted', { exact: false }).waitFor()
  await page.getByRole('checkbox', { name: 'Deleted segment' }).click()
  await page.getByText('1 person will get it').waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  expect(page.complaints).toEqual([])
})

test('forms: one is built with its page in sight, and people sign up without JavaScript in any theme', async () => {
  const ada = await t.person()
  await ada.api(lists.create, { body: { name: 'Garden news', optin: 'double' } })
  await ada.api(lists.create, { body: { name: 'Gartenneuigkeiten'.repeat(7) } })
  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 320, height: 800 } })
  await page.goto('/contacts/forms')
  await page.getByRole('link', { name: 'Create form' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Footer')
  await page.getByRole('button', { name: 'Create form' }).click()
  await page.getByText('Choose at least one list.').waitFor()
  await page.getByLabel('Garden news').check()
  await page.getByLabel('Heading').fill('News from the garden')
  await page.getByRole('region', { name: 'Preview' }).getByText('News from the garden').waitFor()
  await page.getByLabel('Address', { exact: true }).fill('garden-footer')
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('button', { name: 'Create form' }).click()
  await page.getByText('/f/garden-footer', { exact: false }).first().waitFor()
  expect(page.complaints).toEqual([])
  // Both at once: each waits for the two seconds in which a form is refused.
  await Promise.all((['light', 'dark'] as const).map(signUp))
  async function signUp(colorScheme: 'light' | 'dark') {
    const context = await browser.newContext({
      baseURL: t.address,
      javaScriptEnabled: false,
      colorScheme,
      viewport: { width: 320, height: 700 },
    })
    const visitor = await context.newPage()
    await visitor.goto('/f/garden-footer')
    await visitor.getByLabel('Name (optional)').fill('Eve')
    await visitor.getByLabel('Email address').fill(`${colorScheme}@form.example`)
    // Sent within two seconds it is refused, with what was typed; then it is sent again.
    await untilPasses(async () => {
      const send = visitor.getByRole('button', { name: 'Subscribe' })
      if (await send.isVisible()) await send.click({ timeout: 1_000 })
      expect(await visitor.getByRole('heading', { name: 'Check your inbox' }).isVisible()).toBe(true)
    })
    await t.sink.mailTo(`${colorScheme}@form.example`)
    await context.close()
    const seeing = await openPage(browser, t.address, { colorScheme, viewport: { width: 320, height: 700 } })
    await seeing.goto('/f/garden-footer')
    expect(await accessibilityFaults(seeing)).toEqual([])
    expect(await sidewaysScroll(seeing)).toBe(0)
    await seeing.close()
  }
})

test('audience: a response from before a choice, which comes after the choice was saved, does not undo it', async () => {
  const { api, token } = await t.person()
  const news = await api(lists.create, { body: { name: 'News' } })
  const { id } = await api(campaigns.create, { body: { name: 'News', subject: 'News', html: '<p>Hi</p>' } })
  const page = await openPage(browser, t.address, { token })
  await page.clock.install()
  await page.goto(`/email-sender/new?id=${id}&step=recipients`)
  const choice = page.getByRole('checkbox', { name: /^News/ })
  await choice.waitFor()
  const [asked, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  await page.route(`**/api/campaigns/${id}`, async (route) => {
    if (route.request().method() !== 'GET' || reads++ > 0) return route.continue()
    const response = await route.fetch()
    asked.resolve()
    await saved.promise
    await route.fulfill({ response })
  })
  // Somebody comes back to the tab after a while.
  await page.clock.fastForward(11_000)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await asked.promise
  await choice.check()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect((await api(campaigns.get, { params: { id } })).listIds).toEqual([news.id])
  const isRead = (request: Request) => request.method() === 'GET' && request.url().endsWith(`/api/campaigns/${id}`)
  const old = page.waitForResponse((response) => isRead(response.request()))
  saved.resolve()
  await (await old).finished()
  await untilPasses(async () => expect(reads).toBe(2))
  expect(await choice.isChecked()).toBe(true)
})

/** Presses the button of a form while it can be pressed: it cannot from a press to the reply. */
async function pressIfReady(visitor: Page) {
  const send = visitor.getByRole('button', { name: 'Subscribe' })
  if ((await send.isVisible()) && (await send.isEnabled({ timeout: 1_000 }))) await send.click({ timeout: 1_000 })
}

test('forms: with proof of work people sign up on the page and on a website, and without JavaScript it says what it needs', async () => {
  const ada = await t.person()
  const { id: listId } = await ada.api(lists.create, { body: { name: 'Garden news' } })
  // A website: another origin with the script in its page.
  const server = createServer((_, response) => void showSite(response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  async function showSite(response: ServerResponse) {
    const script = (await t.inject('/f/proven/embed.js')).body.replaceAll(home, t.address)
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Garden</title><body><script>${script}</script>`)
  }
  const { id } = await ada.api(forms.create, {
    body: { name: 'Proven', slug: 'proven', lists: [listId], optin: 'single', allowedOrigins: [site] },
  })
  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto(`/contacts/forms/${id}`)
  await page.getByRole('switch', { name: 'Proof of work' }).click()
  await page.getByRole('region', { name: 'Preview' }).getByText('Security check passed').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Form saved').waitFor()
  const onPage = async () => {
    const visitor = await openPage(browser, t.address, { viewport: { width: 320, height: 700 } })
    await visitor.goto('/f/proven')
    await visitor.getByLabel('Email address').fill('page@proven.example')
    await visitor.getByText('Security check passed').waitFor()
    expect(await accessibilityFaults(visitor)).toEqual([])
    await untilPasses(async () => {
      await pressIfReady(visitor)
      expect(await visitor.getByRole('heading', { name: 'You are subscribed' }).isVisible()).toBe(true)
    })
  }
  const onSite = async () => {
    const visitor = await openPage(browser, t.address)
    await visitor.goto(site)
    await visitor.getByLabel('Email address').fill('site@proven.example')
    await untilPasses(async () => {
      await pressIfReady(visitor)
      expect(await visitor.getByText('You are subscribed.').isVisible()).toBe(true)
    })
  }
  await Promise.all([onPage(), onSite()])
  const context = await browser.newContext({ baseURL: t.address, javaScriptEnabled: false })
  const visitor = await context.newPage()
  await visitor.goto('/f/proven')
  await visitor.getByText('This form needs JavaScript for its security check.').waitFor()
  await context.close()
  const { items } = await ada.api(contacts.list, { query: { listId } })
  expect(items.map(({ email }) => email).toSorted()).toEqual(['page@proven.example', 'site@proven.example'])
})

test('audience: a used field gets another label, a domain is suppressed, and a contact changes its preferences', async () => {
  const ada = await t.person()
  await ada.api(accounts.update, { body: { company: 'Lark', postalAddress: '1 Nest Road' } })
  const list = await ada.api(lists.create, { body: { name: 'News', isPublic: true, description: 'Once a month' } })
  const pia = { email: 'pia@audience.example', lists: [list.id], attributes: { city: 'Bonn' } }
  const { id } = await ada.api(contacts.create, { body: pia })
  const filter = { op: 'and' as const, items: [{ field: 'attributes.city', is: 'equal', value: 'Bonn' }] }
  await ada.api(segments.create, { body: { name: 'In Bonn', filter } })
  const draft = { name: 'Spring', subject: 'Spring', html: '<p>Hello</p>', listIds: [list.id] }
  const campaign = await ada.api(campaigns.create, { body: draft })
  await ada.api(campaigns.send, { params: { id: campaign.id }, body: {} })

  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto('/contacts/fields')
  await page.getByRole('button', { name: 'Actions for city' }).click()
  await page.getByRole('menuitem', { name: 'Edit field' }).click()
  await page.getByLabel('Name', { exact: true }).fill('town')
  await page.getByRole('link', { name: 'In Bonn' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('city')
  await page.getByLabel('Label').fill('Home town')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Field saved').waitFor()
  await page.goto('/contacts/suppressions')
  await page.getByRole('button', { name: 'Add address' }).first().click()
  await page.getByLabel('Email address, phone number or domain').fill('blocked.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add suppression' }).click()
  await page.getByText('@blocked.example').first().waitFor()

  const mail = await t.sink.mailTo(pia.email)
  const visitor = await openPage(browser, t.address, { viewport: { width: 375, height: 800 }, colorScheme: 'dark' })
  await visitor.goto(/\/p\/[\w.-]+/.exec(`${mail.html} ${mail.text}`)?.[0] ?? '')
  await visitor.getByText('Once a month').waitFor()
  await visitor.getByLabel('At most one email a week').check()
  await visitor.getByRole('button', { name: 'Save changes' }).click()
  await visitor.getByText('Your changes are saved.').waitFor()
  await visitor.getByText('Why did I get this email?').click()
  await visitor.getByText('1 Nest Road').waitFor()
  expect([await accessibilityFaults(visitor), await sidewaysScroll(visitor)]).toEqual([[], 0])

  await page.goto(`/contacts/${id}`)
  await page.getByText('Chose at most one email a week').waitFor()
  await page.getByText('Receives campaigns, at most one email a week.').waitFor()
  await page.getByText('Home town').waitFor()
  await page.getByText('Email: Sent').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  expect([...page.complaints, ...visitor.complaints]).toEqual([])
})

test('audience: a list and a tag are made, a double opt-in list is filled from a file, contacts are merged, suppressions imported', async () => {
  const ada = await t.person()
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const page = await openPage(browser, t.address, { token: ada.token })
  const dialog = page.getByRole('dialog')
  await page.goto('/contacts/tags')
  await page.getByRole('button', { name: 'Create tag' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('VIP')
  await dialog.getByRole('button', { name: 'Create tag' }).click()
  await page.getByText('Tag VIP created').waitFor()
  await page.goto('/contacts/lists')
  await page.getByRole('button', { name: 'Create list' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('Readers')
  await dialog.getByText('Double opt-in', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await page.getByRole('link', { name: 'Readers' }).waitFor()
  await page.getByRole('button', { name: 'Create list' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('readers')
  await dialog.getByText('You already have a list with this name.').waitFor()
  await page.keyboard.press('Escape')

  await page.goto('/contacts/import')
  await page.locator('input[type=file]').setInputFiles(file('readers.csv', 'email,name'))
  await page.getByText('The file has column names and no rows below them. No contacts were imported.').waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles(file('readers.csv', 'email,name\nmia@merge.example,Mia\nm@merge.example,Mia M.'))
  await page.getByText('You already have a list with this name.').waitFor()
  await page.getByLabel('Add to list').selectOption({ label: 'Readers' })
  await page.getByText('Everyone gets a confirmation email at the pace of your sender').waitFor()
  await page.getByText('These people already agreed', { exact: true }).click()
  await page.getByLabel('How did they agree?').fill('On paper at the fair.')
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await page.getByText(/^Import complete: 2 added/).waitFor()

  const { items } = await ada.api(contacts.list, { query: { q: 'mia@merge.example' } })
  await page.goto(`/contacts/${items[0]?.id}`)
  await page.getByText('On paper at the fair.').waitFor()
  await page.getByRole('button', { name: 'Actions for this contact' }).click()
  await page.getByRole('menuitem', { name: 'Merge with another contact' }).click()
  await dialog.getByLabel('Contact to merge with Mia').fill('m@merge')
  await dialog.getByRole('button', { name: /Mia M\./ }).click()
  await dialog.getByText('Values that are struck out go.').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge contacts' }).click()
  await page.getByText('Contacts merged').waitFor()

  await page.goto('/contacts/suppressions')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Import suppressions' }).click()
  await dialog.locator('input[type=file]').setInputFiles(file('out.csv', 'email\ngone@merge.example\nnot an address'))
  await dialog.getByRole('button', { name: 'Import suppressions' }).click()
  await dialog.getByRole('group', { name: 'Skipped rows with reasons' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('gone@merge.example').waitFor()
  expect(page.complaints).toEqual([])
})
