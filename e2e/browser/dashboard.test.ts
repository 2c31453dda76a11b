import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { t } from '../support/product.ts'

test('dashboard: the page loads less than 200 kB of compressed scripts', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token, uncached: true })
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script' || request.url().endsWith('.js'))
      sizes.push(request.sizes().then((size) => size.responseBodySize))
  })
  await page.goto('/dashboard', { waitUntil: 'networkidle' })
  await page.getByRole('heading', { name: 'Hello, Robin' }).waitFor()
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(sizes.length).toBeGreaterThan(10)
  expect(total).toBeGreaterThan(100_000)
  expect(total).toBeLessThan(200_000)
})

test('dashboard: a new user sees the five steps with one done, and no figures before the first campaign', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person({ plan: 'free' })).token })
  await page.goto('/dashboard')
  await page.getByText('1 of 5 done').waitFor()
  for (const step of ['Authenticate', 'Upload a template', 'Upload recipients', 'Create a campaign', 'Send'])
    await page.getByRole('main').getByRole('listitem').filter({ hasText: step }).first().waitFor()
  await page.getByText('0 of 1,000 used').waitFor()
  for (const name of ['Last 30 days', 'Tools']) expect(await page.getByRole('region', { name }).count()).toBe(0)
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  await page.getByRole('link', { name: 'Choose a template' }).click()
  await page.waitForURL('**/my-templates')
})

test('dashboard: sample data is added with one press, opens as a report, and is removed with one', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person({ plan: 'free' })).token })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Add sample data' }).click()
  await page.getByRole('link', { name: 'View report' }).click()
  await page.getByRole('heading', { name: 'Sample campaign' }).waitFor()
  await page.getByText('16 people opened, 8 clicked').waitFor()
  await page.getByText('This is sample data').waitFor()
  expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  await page.goBack()
  await page.getByText('1 of 5 done').waitFor()
  await page.getByText('0 of 500 used').waitFor()
  await page.getByRole('button', { name: 'Remove sample data' }).click()
  await page.getByRole('button', { name: 'Add sample data' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('dashboard: it shows what was sent, opened and scheduled, and untracked clicks as unknown', async () => {
  const person = await t.person({ plan: 'pro' })
  const listId = await listWith(t.services, person, 4)
  const { id } = await draftTo(person, listId, { name: 'Spring', trackClicks: false })
  await person.api(campaigns.send, { params: { id }, body: {} })
  await untilState(person, id, ['sent'])
  const { workspaceId } = person
  const message = await t.services.db
    .selectFrom('messages')
    .where('campaignId', '=', id)
    .select('id')
    .executeTakeFirstOrThrow()
  await t.services.db
    .insertInto('events')
    .values({ workspaceId, campaignId: id, messageId: message.id, kind: 'open', class: 'human' })
    .execute()
  const next = await draftTo(person, listId, { name: 'Summer' })
  const at = new Date(Date.now() + 86_400_000).toISOString()
  await person.api(campaigns.send, { params: { id: next.id }, body: { at } })

  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/dashboard')
  const month = page.getByRole('region', { name: 'Last 30 days' })
  await month.getByText('25% of sent').waitFor()
  expect(await month.textContent()).toMatch(/Sent4.*by people1.*Clicked by peopleunknownNot tracked/)
  await page.getByText('Last campaign').waitFor()
  await page.getByRole('link', { name: 'Spring', exact: true }).waitFor()
  expect(await page.getByText('Get started').count()).toBe(0)
  await month.getByRole('button', { name: 'WhatsApp' }).click()
  await page.waitForURL(/channel=whatsapp/)
  await month.getByText('No campaigns started in the last 30 days.').waitFor()
  await month.getByRole('group', { name: 'Channel' }).getByRole('button', { name: 'All' }).click()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  await page.getByRole('link', { name: 'Summer', exact: true }).first().waitFor()
  await page.getByText(/^starts /).waitFor()
  await page.getByText('4 of 500,000 used').waitFor()
})

test('dashboard: a service chosen on the landing page moves its tool to the front and focuses it', async () => {
  const [free, paid] = [await t.person({ plan: 'free' }), await t.person({ plan: 'pro' })]
  const services: [string, string, string, string][] = [
    ['bulkMailer', 'Email Sender', '/email-sender', '/email-sender'],
    ['mailScraper', 'Email Scraper', '/email-scraper', '/plan'],
    ['whatsAppSender', 'WhatsApp Sender', '/whatsapp-sender', '/whatsapp-sender'],
    ['numberScraper', 'Number Scraper', '/number-scraper', '/plan'],
  ]
  for (const who of [free, paid]) {
    const page = await openPage(browser, t.address, { token: who.token, viewport: { width: 375, height: 740 } })
    for (const [service, name, open, locked] of services) {
      await page.goto(`/dashboard?service=${service}`)
      const cards = page.getByRole('region', { name: 'Tools' }).getByRole('link')
      await cards.first().getByText(name, { exact: true }).waitFor()
      await page.waitForFunction((text) => document.activeElement?.textContent?.startsWith(text), name)
      const box = await cards.first().boundingBox()
      expect(box && box.y >= 0 && box.y + box.height <= 740).toBe(true)
      if (who === free) await page.getByText('Free User').first().waitFor({ state: 'attached' })
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${who === free ? locked : open}`)
    }
  }
})

test('dashboard: an unknown service in the URL changes nothing', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  await page.goto('/dashboard?service=constructor')
  await page.getByText('1 of 5 done').waitFor()
  expect(await page.getByRole('region', { name: 'Tools' }).getByText('Open', { exact: true }).count()).toBe(0)
  expect(page.complaints).toEqual([])
})

test('dashboard: figures that could not be loaded show an error, load on retry, and the rest still works', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  await page.route('**/api/dashboard', (route) => route.fulfill({ status: 503, body: 'no' }))
  await page.goto('/dashboard')
  await page.getByText('The figures could not be loaded').waitFor()
  await page.getByRole('heading', { name: 'Hello, Robin' }).waitFor()
  await page.unroute('**/api/dashboard')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('1 of 5 done').waitFor()
})
