import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { plans } from '#contracts/billing/plans.ts'
import { templates } from '#contracts/templates/templates.ts'
import { accessibilityFaults, openPage, screenFaults } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { home, t } from '../../support/product.ts'

/** Every public page: its title, its canonical path, and texts that must be in the server's HTML. */
const pages: Record<string, { title: RegExp; canonical: string; texts: string[] }> = {
  '/': {
    title: /^Postlark: outreach/,
    canonical: '/',
    texts: [
      'Send email people are glad to get.',
      'Authenticate',
      '99%',
      '99.9%',
      'Tools free with no limits',
      'Mei Tanaka',
    ],
  },
  '/home': { title: /^Postlark: outreach/, canonical: '/', texts: ['Send email people are glad to get.'] },
  '/about': { title: /About Us/, canonical: '/about', texts: ['What you can expect from us'] },
  '/services': { title: /Services/, canonical: '/services', texts: ['Lead collection', 'robots.txt'] },
  '/pricing': {
    title: /Pricing/,
    canonical: '/pricing',
    texts: ['$149', '$1,490', '5,000,000', 'Is the free plan really free?'],
  },
  '/plans': { title: /Plans/, canonical: '/plans', texts: ['Choose Starter'] },
  '/contact': { title: /Contact Us/, canonical: '/contact', texts: ['Send message', 'name="form"'] },
  '/templates': { title: /Templates/, canonical: '/templates', texts: ['Newsletter', '/starters/newsletter.webp'] },
  '/privacy-policy': {
    title: /Privacy Policy/,
    canonical: '/privacy-policy',
    texts: ['userConsent', 'These pages use no cookies', '/24'],
  },
  '/bot': { title: /Our crawler/, canonical: '/bot', texts: ['User-agent: Postlark', 'href="/contact"'] },
}

const meta = (html: string, key: string) =>
  new RegExp(`<meta (?:name|property)="${key}" content="([^"]+)"`).exec(html)?.[1] ?? ''

test.each(Object.entries(pages))(
  "public pages: %s has its title, texts and metadata in the server's HTML",
  async (path, page) => {
    const response = await t.inject(path)
    expect([response.statusCode, response.headers['content-type'], response.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    const html = response.body
    expect(/<title>([^<]+)</.exec(html)?.[1]).toMatch(page.title)
    expect(html).toContain(`<link rel="canonical" href="${home}${page.canonical}"/>`)
    for (const text of page.texts) expect(html).toContain(text)
    for (const key of ['description', 'og:title', 'og:description', 'og:url', 'twitter:card'])
      expect(meta(html, key), key).not.toBe('')
    const image = await t.inject(new URL(meta(html, 'og:image')).pathname)
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png'])
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1]
    if (data) expect(JSON.parse(data)['@context']).toBe('https://schema.org')
  },
)

test('public pages: an unknown or broken URL returns 404 as a page, and as JSON under /api', async () => {
  const page = await t.inject('/no/such/page')
  expect([page.statusCode, page.body.includes('Page Not Found'), page.body.includes('noindex')]).toEqual([
    404,
    true,
    true,
  ])
  for (const path of ['/r/%00%ff', '/category/%00', '/tag/%00', '/search?q=%00', '/blog/%ff']) {
    const { statusCode, body } = await t.inject(path)
    expect([path, statusCode, body.includes('Page Not Found')]).toEqual([path, 404, true])
  }
  const api = await t.inject('/api/nothing')
  expect([api.statusCode, api.json().code]).toEqual([404, 'not_found'])
})

test('public pages: pages and files are compressed, and hashed files are cached for a year', async () => {
  const page = await t.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
  expect([page.headers['content-encoding'], page.headers.vary]).toEqual(['br', 'accept-encoding'])
  expect(brotliDecompressSync(page.rawPayload).toString()).toContain('glad to get')
  expect((await t.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding']).toBe(
    'gzip',
  )
  const script = /\/assets\/framework-[\w-]+\.js/.exec((await t.inject('/')).body)?.[0] ?? ''
  const file = await t.inject({ url: script, headers: { 'accept-encoding': 'gzip, br' } })
  expect(file.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
  })
})

test('public pages: the icons, the manifest and every file they name exist', async () => {
  const html = (await t.inject('/')).body
  const icons = [...html.matchAll(/rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g)].map(
    ([, href]) => href ?? '',
  )
  expect(icons).toHaveLength(4)
  const manifest = (await t.inject('/site.webmanifest')).json() as { icons: { src: string }[] }
  for (const path of [...icons, ...manifest.icons.map((icon) => icon.src)])
    expect((await t.inject(path)).statusCode, path).toBe(200)
})

test('public pages: every URL of the sitemap returns 200', async () => {
  const { body } = await t.inject('/sitemap.xml')
  const paths = [...body.matchAll(new RegExp(`<loc>${home}([^<]+)</loc>`, 'g'))].map(([, path]) => path ?? '')
  expect(paths).toContain('/about')
  for (const path of paths) expect((await t.inject(path)).statusCode, path).toBe(200)
})

test('public pages: no page sends a request to another origin', async () => {
  const page = await openPage(browser, t.address)
  const strangers = new Set<string>()
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== t.address && protocol !== 'data:') strangers.add(origin)
  })
  for (const path of Object.keys(pages)) await page.goto(path, { waitUntil: 'networkidle' })
  expect([...strangers]).toEqual([])
})

test('public pages: the images of the starter templates match the current templates', async () => {
  // Draw them anew with: node scripts/site-images.ts
  const drawn = JSON.parse(readFileSync('public/starters/drawn-from.json', 'utf8'))
  const { items } = await t.api(templates.starters)
  expect(drawn).toEqual(
    Object.fromEntries(
      items.map(({ id, html, mjml }) => [
        id,
        createHash('sha256')
          .update(html + mjml)
          .digest('hex'),
      ]),
    ),
  )
  for (const { id } of items)
    expect((await t.inject(`/starters/${id}.webp`)).headers['content-type']).toBe('image/webp')
})

test('public pages: a signed-in user opens a starter template in the editor with one click', async () => {
  const ada = await t.person()
  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto('/templates')
  await page.getByRole('button', { name: 'Use this template' }).nth(1).click()
  await page.waitForURL('**/editor/*')
  expect((await ada.api(templates.list, { query: {} })).items.map((item) => item.name)).toEqual(['Product launch'])
})

test('public pages: a visitor signs up and finds the chosen starter template in the editor', async () => {
  const page = await openPage(browser, t.address)
  await page.goto('/templates')
  await page.getByRole('button', { name: 'Use this template' }).first().click()
  await page.waitForURL('**/signup')
  await page.getByLabel('Name').fill('New Person')
  await page.getByLabel('Email').fill('new.person@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('a long enough phrase')
  await page.getByRole('button', { name: 'Sign up' }).click()
  const mail = await t.sink.mailTo('new.person@example.com')
  const link = /verify-email\?token=\S+/.exec(mail.text ?? '')?.[0] ?? ''
  // The email is opened in another tab.
  const tab = await page.context().newPage()
  await tab.goto(`/${link}`)
  await tab.getByRole('button', { name: 'Confirm email' }).click()
  await tab.waitForURL('**/editor/*')

  const other = await t.person()
  const stranger = await openPage(browser, t.address, { token: other.token })
  await stranger.goto('/templates?use=newsletter', { waitUntil: 'networkidle' })
  expect(new URL(stranger.url()).pathname).toBe('/templates')
  expect((await other.api(templates.list, { query: {} })).items).toEqual([])
})

test('public pages: the contact form shows missing fields, keeps its text after an error, and delivers', async () => {
  const page = await openPage(browser, t.address)
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByText('Name is required.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByLabel('Message').fill('Does it speak COBOL?')
  await page.route('**/api/contact', (route) => route.abort())
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('alert').getByText('could not be reached').waitFor()
  expect(await page.getByLabel('Message').inputValue()).toBe('Does it speak COBOL?')
  await page.unroute('**/api/contact')
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('heading', { name: 'Message sent' }).waitFor()
  const mail = await t.sink.waitFor((one) => one.raw.includes('Message from Grace'))
  expect(mail.text).toContain('COBOL')
})

test('public pages: the contact form delivers without JavaScript', async () => {
  const page = await openPage(browser, t.address, { javaScriptEnabled: false })
  await page.goto('/contact')
  const opened = Date.now()
  await page.getByLabel('Name').fill('No Script')
  await page.getByLabel('Email').fill('noscript@example.com')
  await page.getByLabel('Message').fill('Sent by the form alone.')
  // The server takes no form within three seconds of its opening.
  await page.waitForTimeout(Math.max(0, opened + 4_000 - Date.now()))
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('heading', { name: 'Message sent' }).waitFor()
  await t.sink.waitFor((one) => one.raw.includes('Message from No Script'))
})

test('public pages: the switch between monthly and yearly prices works without JavaScript', async () => {
  const page = await openPage(browser, t.address, { javaScriptEnabled: false })
  await page.goto('/pricing')
  const cards = page.locator('.plans')
  const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US')}`
  await cards.getByText(dollars(plans.pro.price.month), { exact: true }).waitFor()
  expect(await cards.getByText(dollars(plans.pro.price.year), { exact: true }).isVisible()).toBe(false)
  await page.getByRole('radio', { name: /Yearly/ }).check()
  await cards.getByText(dollars(plans.pro.price.year), { exact: true }).waitFor()
  expect(await cards.getByText(dollars(plans.pro.price.month), { exact: true }).isVisible()).toBe(false)
})

test('public pages: on a phone the comparison of plans shows the values of all four', async () => {
  const page = await openPage(browser, t.address, { viewport: { width: 375, height: 800 } })
  await page.goto('/pricing')
  const table = page.getByRole('region', { name: 'Compare plans' })
  for (const { title, emails } of Object.values(plans)) {
    for (const text of [title, (emails ?? 0).toLocaleString('en-US')]) {
      const box = await table.getByText(text, { exact: true }).first().boundingBox()
      expect((box?.x ?? 375) + (box?.width ?? 0)).toBeLessThanOrEqual(355)
    }
  }
})

test('public pages: no page has console errors, accessibility faults or sideways scrolling in any theme', {
  timeout: 600_000,
}, async () => {
  const page = await openPage(browser, t.address, { reducedMotion: 'reduce' })
  const look = async (seen: typeof page, path: string) => {
    await seen.goto(path, { waitUntil: 'networkidle' })
    expect({ path, faults: await screenFaults(seen) }).toEqual({ path, faults: [] })
  }
  // The landing page has two URLs.
  const paths = Object.keys(pages).filter((path) => path !== '/home')
  for (const path of [...paths, '/contact?problem=email']) await look(page, path)
  await look(await openPage(browser, t.address, { undecided: true, reducedMotion: 'reduce' }), '/')
  await page.setViewportSize({ width: 375, height: 800 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/about', { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Open menu' }).click()
    expect(await accessibilityFaults(page)).toEqual([])
  }
})
