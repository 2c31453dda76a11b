/**
 * `node scripts/screens.ts [folder] [part of an address or workspace]`: opens every screen at five widths, light and dark,
 * in an empty workspace, in one with 3 contacts and in one with 10,000, and prints what is wrong with each: sideways
 * scrolling, axe, errors of the console. With a folder, screenshots of all of them are stored there.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo } from '#server/testing/campaign.ts'
import setUp from '#server/testing/global-setup.ts'
import { until } from '#server/testing/until.ts'
import { accessibilityFaults, openBrowser, openPage, sidewaysScroll, untilStill } from '../e2e/support/browser.ts'
import { sendTo, uploadPeople } from '../e2e/support/sending.ts'

const WIDTHS = [320, 375, 768, 1280, 1920]
const FEW = 3
const MANY = 10_000
const [folder, part = ''] = process.argv.slice(2)

const PUBLIC = [
  '/',
  '/about',
  '/services',
  '/pricing',
  '/plans',
  '/contact',
  '/templates',
  '/privacy-policy',
  '/bot',
  '/blogs',
  '/search?q=nothing',
  '/login',
  '/signup',
  '/verify-email',
  '/pass-reset',
  '/reset-password',
  '/nothing/here',
]
const SIGNED_IN = [
  '/dashboard',
  '/account',
  '/account/security',
  '/account/workspace',
  '/account/data',
  '/plan',
  '/email-sender',
  '/email-sender/new',
  '/mail-dash',
  '/senders',
  '/sending-domains',
  '/bounce-sources',
  '/journeys',
  '/journeys/new',
  '/contacts',
  '/contacts/lists',
  '/contacts/tags',
  '/contacts/fields',
  '/contacts/forms',
  '/contacts/forms/new',
  '/contacts/segments',
  '/contacts/segments/new',
  '/contacts/suppressions',
  '/contacts/import',
  '/my-templates',
  '/my-templates/brand',
  '/whatsapp-sender',
  '/whatsapp-sender/new',
  '/whatsapp-sender/inbox',
  '/whatsapp-sender/templates',
  '/whatsapp-sender/templates/new',
  '/whatsapp-sender/automations',
  '/whatsapp-sender/numbers',
  '/whatsapp-dash',
  '/gmail-sender',
  '/gmail-sender/accounts',
  '/gmail-sender/new',
  '/gmail-sender/setup',
  '/gmail-analytics',
  '/gmail-link',
  '/email-scraper',
  '/number-scraper',
  '/sandbox',
  '/sandbox/whatsapp',
  '/sandbox/whatsapp/templates',
]
const ADMIN = [
  '/admin',
  '/admin/users',
  '/admin/health',
  '/admin/audit',
  '/admin/revenue',
  '/admin/blog',
  '/admin/blog/create',
  '/create-coupun',
]

/** Contacts, a campaign sent to all of them, and a template: the addresses of their screens. */
async function addData(person: Person, people: number): Promise<string[]> {
  const { items } = await person.api(templates.starters)
  const starter = items.at(0)
  if (!starter) throw new Error('there is no starter template')
  const { id: templateId } = await person.api(templates.create, {
    body: { name: starter.name, subject: 'Spring news', html: starter.html, mjml: starter.mjml },
  })
  const listId = await uploadPeople(person.api, people)
  const campaignId = await sendTo(person.api, listId)
  await until(
    async () => (await person.api(campaigns.get, { params: { id: campaignId } })).state === 'sent',
    'the end of the sending',
    120,
  )
  const draft = await draftTo(person, listId)
  const { items: found } = await person.api(contacts.list, { query: { limit: 1 } })
  const { items: jobs } = await person.api(imports.list, { query: { limit: 1 } })
  return [
    `/mail-dash/${campaignId}`,
    `/email-sender/new?id=${draft.id}&step=review`,
    `/editor/${templateId}`,
    `/contacts/${found[0]?.id}`,
    `/contacts/imports/${jobs[0]?.id}`,
  ]
}

async function walk(page: Page & { complaints: string[] }, name: string, addresses: string[]): Promise<number> {
  let count = 0
  for (const address of addresses.filter((each) => `${name}${each}`.includes(part))) {
    page.complaints.length = 0
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(address, { waitUntil: 'load' })
    await page.locator('h1, h2').first().waitFor()
    await page.locator('text="Loading..."').waitFor({ state: 'detached' })
    for (const width of WIDTHS)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await untilStill(page)
        const faults = [375, 1280].includes(width) ? await accessibilityFaults(page) : []
        const pixels = await sidewaysScroll(page)
        if (pixels > 0) faults.push(`scrolls sideways by ${pixels} pixels`)
        for (const fault of faults) console.log(`${name} ${address} ${width} ${colorScheme}: ${fault}`)
        count += faults.length
        if (folder)
          await page.screenshot({
            path: join(folder, `${name}${address.replaceAll(/[/?=]/g, '_')}-${width}-${colorScheme}.png`),
            fullPage: width === 1280,
          })
      }
    for (const complaint of page.complaints) console.log(`${name} ${address}: ${complaint}`)
    count += page.complaints.length
  }
  return count
}

async function walkAll(app: TestApp): Promise<number> {
  await using browser = await openBrowser()
  const newcomer = await app.person({ name: 'Ada Example' })
  const marketer = await app.person({ name: 'Maximiliane Featherstonehaugh-Wollstonecraft' })
  const admin = await app.person({ role: 'admin' })
  const starter = await app.person({ name: 'Bo' })
  const [few, many] = [await addData(starter, FEW), await addData(marketer, MANY)]
  const visitor = await openPage(browser, app.address)
  let count = await walk(visitor, 'public', PUBLIC)
  for (const [name, { token }, addresses] of [
    ['empty', newcomer, SIGNED_IN],
    ['few', starter, [...SIGNED_IN, ...few]],
    ['full', marketer, [...SIGNED_IN, ...many]],
    ['admin', admin, ADMIN],
  ] as const)
    count += await walk(await openPage(browser, app.address, { token }), name, [...addresses])
  return count
}

if (folder) mkdirSync(folder, { recursive: true })
// Ends last: the product needs its database until it has stopped.
await using _database = { [Symbol.asyncDispose]: await setUp() }
await using app = await testApp({ pages: 'built', environment: { SMTP_URL: '' } })
const count = await walkAll(app)
console.log(`${count} faults`)
process.exitCode = count > 0 ? 1 : 0
