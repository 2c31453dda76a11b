import { expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { billing } from '#contracts/billing/billing.ts'
import { stripeSandbox } from '#server/testing/stripe.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { openPage, screenFaults } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { home, t } from '../support/product.ts'

/** Wide and narrow, light and dark: nothing serious for axe, nothing to scroll sideways. */
async function looksRight(page: Awaited<ReturnType<typeof openPage>>, name: string) {
  expect([name, await screenFaults(page)]).toEqual([name, []])
}

test('billing: a locked tool opens the plans, a declined card changes nothing, and paying unlocks it', async () => {
  const ada = await t.person({ plan: 'free' })
  const page = await openPage(browser, home, { token: ada.token })
  await page.goto('/email-scraper')
  await page.waitForURL('**/plan')
  await page.getByText('This tool is available on paid plans').waitFor()
  await page.getByRole('button', { name: 'Choose Pro' }).waitFor()
  await looksRight(page, 'plan-free')
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByRole('heading', { name: /Pro/ }).waitFor()
  await page.getByText('The bank declines it').click()
  await page.getByRole('button', { name: /Start trial|Pay / }).click()
  await page.getByRole('alert').waitFor()
  await looksRight(page, 'checkout-refused')
  await page.getByRole('link', { name: 'Leave without paying' }).click()
  await page.getByText('Nothing was charged, and your plan was not changed.').waitFor()
  await page.getByText('Free Plan').first().waitFor()

  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByText('A card that works').click()
  await page.getByRole('button', { name: /Start trial|Pay / }).click()
  await page.getByRole('heading', { name: 'You’re on Pro' }).waitFor()
  await looksRight(page, 'paid')
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL('**/email-scraper')
  await page.getByRole('heading', { name: 'Email Scraper' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('billing: a user changes the plan after seeing the price, cancels it and resumes it', async () => {
  const ben = await t.person({ plan: 'free' })
  const page = await openPage(browser, home, { token: ben.token })
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Choose Starter' }).click()
  await page.getByRole('button', { name: /Start trial|Pay / }).click()
  await page.getByRole('heading', { name: 'You’re on Starter' }).waitFor()
  await page.getByRole('link', { name: 'View plan' }).click()
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
  await page.getByText('Your Business plan will continue').waitFor()
  expect(page.complaints).toEqual([])
})

test('billing: a disputed payment ends the plan until the dispute is won, and users and admins see it', async () => {
  const stripe = stripeSandbox(t)
  const cat = await t.person({ plan: 'free' })
  await stripe.pay((await cat.api(billing.checkout, { body: { plan: 'pro', interval: 'month' } })).url)
  await stripe.forward(15)
  const paid = async () => (await cat.api(billing.invoices)).items.find(({ total }) => total > 0)
  const invoice = await until(paid, 'a paid invoice')
  const dispute = await stripe.dispute({ invoice: invoice.id, reason: 'product_not_received' })
  const fetchPlan = async () => (await cat.api(billing.status)).currentPlan
  await untilPasses(async () => expect(await fetchPlan()).toBe('free'))

  const page = await openPage(browser, home, { token: cat.token })
  await page.goto('/plan')
  await page.getByText('Your payment is disputed').waitFor()
  await page.getByRole('heading', { name: 'Refunds and disputes' }).waitFor()
  await page.getByText('Product not received').first().waitFor()
  await looksRight(page, 'plan-disputed')

  const boss = await t.person({ role: 'admin' })
  const office = await openPage(browser, home, { token: boss.token })
  await office.goto('/admin/revenue')
  await office.getByRole('heading', { name: 'Latest refunds and disputes' }).waitFor()
  await looksRight(office, 'revenue-disputed')
  const { reversals, latest } = await boss.api(admin.revenue)
  expect(reversals[0]).toMatchObject({ kind: 'dispute', state: 'open' })
  expect(latest.find(({ id }) => id === reversals[0]?.invoice?.id)).toMatchObject({ status: 'paid', disputed: true })

  await stripe.dispute({ dispute: dispute.id, status: 'won' })
  await untilPasses(async () => expect(await fetchPlan()).toBe('pro'))
  await page.reload()
  await page.getByText('Dispute rejected').first().waitFor()
  expect(await page.getByText('Your payment is disputed').count()).toBe(0)
  expect([...page.complaints, ...office.complaints]).toEqual([])
})

test('billing: an admin creates a coupon, and a user sees the reduced price before paying', async () => {
  const admin = await t.person({ role: 'admin' })
  const page = await openPage(browser, home, { token: admin.token })
  await page.goto('/create-coupun')
  await page.getByRole('button', { name: 'Create coupon' }).click()
  await page
    .getByText(/Code (?:is|must|needs)/)
    .first()
    .waitFor()
  await page.getByLabel('Code').fill('SPRING20')
  await page.getByLabel('Percent').last().fill('20')
  await page.getByRole('button', { name: 'Create coupon' }).click()
  await page.getByText('Coupon SPRING20 created').waitFor()
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

test('billing: users are redirected from the coupon page to the home page, and visitors to the login', async () => {
  const nobody = await openPage(browser, home)
  await nobody.goto('/create-coupun')
  await nobody.waitForURL('**/login')
  const other = await t.person()
  const page = await openPage(browser, home, { token: other.token })
  await page.goto('/create-coupun')
  await page.waitForURL(`${home}/`)
})
