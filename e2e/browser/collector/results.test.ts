import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { until } from '#server/testing/until.ts'
import { openPage, screenFaults } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const rows = (page: Page) => page.getByRole('table').locator('[data-row-open]')

/** Every state with addresses. Numbers have columns of their own, and the same states around them. */
const states = [
  ['email', 'queued', 0],
  ['email', 'running', 40],
  ['email', 'paused', 40],
  ['email', 'stopped', 12],
  ['email', 'failed', 3],
  ['email', 'done', 0],
  ['phone', 'done', 0],
  ['phone', 'running', 40],
  ['email', 'done', 60],
] as const

test('scraper: no state of a scrape causes console errors, accessibility faults or sideways scrolling', {
  timeout: 600_000,
}, async () => {
  const person = await t.person({ plan: 'pro' })
  const paths: string[] = ['/email-scraper', '/number-scraper']
  for (const [kind, state, found] of states)
    paths.push(
      `/${kind === 'email' ? 'email' : 'number'}-scraper/${await seeded(person.workspaceId, kind, state, found)}`,
    )
  const page = await openPage(browser, t.address, { token: person.token })
  for (const path of paths) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('status', { name: 'Loading...' }).waitFor({ state: 'detached' })
    expect([path, await screenFaults(page)]).toEqual([path, []])
  }
  await rows(page).first().click()
  await page.getByRole('dialog').waitFor()
  expect(await screenFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add to list' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await screenFaults(page)).toEqual([])
})

test('scraper: a table of 100,000 findings renders under 80 rows, loads more on scrolling, selects all', async () => {
  const person = await t.person({ plan: 'pro' })
  const id = await seeded(person.workspaceId, 'email', 'done', 100_000)
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto(`/email-scraper/${id}`)
  await rows(page).first().waitFor()
  const firstIndex = async () => Number(await page.locator('tr[data-index]').first().getAttribute('data-index'))
  const scroll = async () => {
    await page.mouse.wheel(0, 2_000)
    return (await firstIndex()) > 900
  }
  await until(scroll, 'the rows beyond the 900th')
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(80)
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('100001')

  await page.goto(`/email-scraper/${id}?sort=value&order=asc&role=role`)
  await page.getByText(/matching addresses/).waitFor()
  await page.getByRole('checkbox', { name: 'Select all rows loaded' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Select all 50,000' }).click()
  await bar.getByText('50,000 selected').waitFor()
  await bar.getByRole('button', { name: 'Add 50,000 addresses to list' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add 50,000 addresses' }).waitFor()
  expect(page.complaints).toEqual([])
})

/** A crawl job as it would stand in the database. Nobody reads for it: it is leased to nobody that is there. */
async function seeded(workspaceId: string, kind: 'email' | 'phone', state: string, found: number): Promise<string> {
  const { db } = t.services
  const settings = {
    maxPages: 200,
    maxDepth: 3,
    subdomains: false,
    include: [],
    exclude: [],
    urls: ['https://bakery.example/'],
    country: null,
  }
  const { id } = await db
    .insertInto('crawlJobs')
    .values({
      workspaceId,
      kind,
      state,
      found,
      settings: JSON.stringify(settings),
      hosts: ['bakery.example'],
      sites: ['bakery.example'],
      urlCount: 1,
      pagesFetched: found > 0 ? 90 : 0,
      pagesQueued: 20,
      skipped: JSON.stringify({ robots: 3, error: 2 }),
      worker: 'nobody',
      leasedUntil: new Date(Date.now() + 3_600_000),
      startedAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Written by the database itself: a hundred thousand rows of parameters would cost seconds.
  await sql`
    insert into crawl_results
      (workspace_id, job_id, value, source_url, page_title, context, method, confidence, is_role, type, country)
    select ${workspaceId}, ${id},
      case when ${kind} = 'email' then 'somebody' || n || '@bakery.example' else '+4930' || 1000000 + n end,
      'https://bakery.example/a-rather-long-path-to-a-page-of-people/' || n,
      'Page ' || n,
      'Write to somebody' || n || '@bakery.example or ring 030 ' || 1000000 + n,
      'text', 0.9, n % 2 = 0,
      case when ${kind} = 'phone' then 'FIXED_LINE' end,
      case when ${kind} = 'phone' then 'DE' end
    from generate_series(0, ${found}::int - 1) as n
  `.execute(db)
  return id
}
