import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { accessibilityFaults, openBrowser, openPage, sidewaysScroll } from './browser.ts'
import { freePort } from './server-process.ts'

// The stand-in leads back to the address the product names.
const port = String(await freePort())
const home = `http://localhost:${port}`
const t = await testApp({ pages: 'built', environment: { PORT: port, PUBLIC_URL: home } })
const browser = await openBrowser()
afterAll(async () => {
  await browser.close()
  await t[Symbol.asyncDispose]()
})

/** Wide and narrow, light and dark: nothing serious for axe, nothing to scroll sideways. */
async function looksRight(page: Page, name: string) {
  for (const width of [1280, 375])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Colours pass over into the others: only where they arrive is what one reads.
      await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        const passing = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === 1)
        await Promise.allSettled(passing.map(({ finished }) => finished))
      })
      expect([name, width, colorScheme, await accessibilityFaults(page)]).toEqual([name, width, colorScheme, []])
      expect([name, width, await sidewaysScroll(page)]).toEqual([name, width, 0])
      const { LOOK } = process.env
      if (LOOK) await page.screenshot({ path: `${LOOK}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a locked tool leads to the plans, a refused card changes nothing, a good one opens the tool', async () => {
  const ada = await t.person({ plan: 'free' })
  const page = await openPage(browser, home, { token: ada.token })
  await page.goto('/email-scraper')
  await page.waitForURL('**/plan')
  await page.getByText('This tool belongs to the paid plans').waitFor()
  await page.getByRole('button', { name: 'Choose Pro' }).waitFor()
  await looksRight(page, 'plan-free')
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByRole('heading', { name: /Pro/ }).waitFor()
  await page.getByText('The bank says no').click()
  await page.getByRole('button', { name: /Start trial|Pay / }).click()
  await page.getByRole('alert').waitFor()
  await looksRight(page, 'checkout-refused')
  await page.getByRole('link', { name: 'Leave without paying' }).click()
  await page.getByText('Nothing was charged, and your plan is as it was.').waitFor()
  await page.getByText('Free Plan').first().waitFor()

  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByText('A card that works').click()
  await page.getByRole('button', { name: /Start trial|Pay / }).click()
  await page.getByRole('heading', { name: 'Pro is open' }).waitFor()
  await looksRight(page, 'paid')
  await page.getByRole('link', { name: 'Go on to the tool you wanted' }).click()
  await page.waitForURL('**/email-scraper')
  await page.getByRole('heading', { name: 'Email Scraper' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('a plan is changed after its price was said, cancelled, and kept after all', async () => {
  const ben = await t.person({ plan: 'free' })
  const page = await openPage(browser, home, { token: ben.token })
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Choose Starter' }).click()
  await page.getByRole('button', { name: /Start trial|Pay / }).click()
  await page.getByRole('heading', { name: 'Starter is open' }).waitFor()
  await page.getByRole('link', { name: 'See your plan' }).click()
  await page.getByText('Starter Plan').first().waitFor()
  await page.getByRole('button', { name: /Business/ }).click()
  await page.getByRole('dialog').waitFor()
  await looksRight(page, 'change')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Business/ })
    .click()
  await page.getByText('Business Plan').first().waitFor()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('button', { name: 'Keep Business' }).waitFor()
  await looksRight(page, 'plan-ends')
  await page.getByRole('button', { name: 'Keep Business' }).click()
  await page.getByText('Your Business plan goes on').waitFor()
  expect(page.complaints).toEqual([])
})

test('an admin makes a coupon, somebody checks it before paying, and revenue is told', async () => {
  const admin = await t.person({ role: 'admin' })
  const page = await openPage(browser, home, { token: admin.token })
  await page.goto('/create-coupun')
  await page.getByRole('button', { name: 'Make coupon' }).click()
  await page
    .getByText(/Code (?:is|must|needs)/)
    .first()
    .waitFor()
  await page.getByLabel('Code').fill('SPRING20')
  await page.getByLabel('Per cent').last().fill('20')
  await page.getByRole('button', { name: 'Make coupon' }).click()
  await page.getByText('SPRING20 is made').waitFor()
  await page.getByRole('button', { name: 'Deactivate SPRING20' }).waitFor()
  await looksRight(page, 'coupons')
  await page.goto('/admin/revenue')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await looksRight(page, 'revenue')

  const eve = await t.person({ plan: 'free' })
  const buyer = await openPage(browser, home, { token: eve.token })
  await buyer.goto('/plan?choose=pro')
  await buyer.getByLabel('Coupon').fill('SPRING20')
  await buyer.getByRole('button', { name: 'Check' }).click()
  await buyer.getByText(/Pro then costs \$119\.20/).waitFor()
  await looksRight(buyer, 'coupon-checked')
  expect([...page.complaints, ...buyer.complaints]).toEqual([])
})

test('coupons are for admins: others go home, nobody to the login', async () => {
  const nobody = await openPage(browser, home)
  await nobody.goto('/create-coupun')
  await nobody.waitForURL('**/login')
  const other = await t.person()
  const page = await openPage(browser, home, { token: other.token })
  await page.goto('/create-coupun')
  await page.waitForURL(`${home}/`)
})
