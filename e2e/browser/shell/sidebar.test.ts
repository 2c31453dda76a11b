import { expect, test } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

test('shell: at 1024 px the sidebar opens over the page and closes on a choice, at 1025 px it stays open', async () => {
  const { token } = await t.person()
  const page = await openPage(browser, t.address, { token, viewport: { width: 1024, height: 768 } })
  await page.goto('/dashboard')
  const entry = page.getByRole('link', { name: 'Account', exact: true })
  await page.getByText('Hello,').waitFor()
  expect(await entry.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await entry.click()
  await page.waitForURL('**/account')
  await entry.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await entry.waitFor()
  await page.keyboard.press('Escape')
  await entry.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1025, height: 768 })
  await entry.waitFor()
  expect(await page.getByRole('button', { name: 'Open menu' }).isVisible()).toBe(false)
})

test('shell: the narrow sidebar opens and closes by keyboard, by its button and by the overlay', async () => {
  const { token } = await t.person()
  const page = await openPage(browser, t.address, { token, viewport: { width: 375, height: 740 } })
  await page.goto('/dashboard')
  await page.getByText('Hello,').waitFor()
  const opener = page.getByRole('button', { name: 'Open menu' })
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  const plan = sidebar.getByRole('link', { name: 'Subscription Plan' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await plan.waitFor()
  // It slides: for a moment it is on its way.
  expect(await sidebar.evaluate((aside) => getComputedStyle(aside).transitionProperty)).toContain('translate')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(
    await sidebar.getByRole('button', { name: 'Close menu' }).evaluate((button) => button === document.activeElement),
  ).toBe(true)
  await page.keyboard.press('Enter')
  await plan.waitFor({ state: 'hidden' })
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
  await opener.click()
  await plan.waitFor()
  await page.locator('[data-overlay]').click({ position: { x: 350, y: 400 } })
  await plan.waitFor({ state: 'hidden' })
  await opener.click()
  await plan.click()
  await page.waitForURL('**/plan')
  await plan.waitFor({ state: 'hidden' })
})
