import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { forms } from '#contracts/contacts/forms.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, openPage, sidewaysScroll, untilStill } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { home, t } from '../../support/product.ts'

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
