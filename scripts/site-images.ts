/**
 * `node scripts/site-images.ts`: draws the images of the public site anew, from the built pages and with Chromium:
 * the starters' previews, what is shown where a page is shared, and the icons. Run it after a change of the landing page's
 * hero, the mark or a starter; the images are committed.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { templates } from '#contracts/templates/templates.ts'
import { testApp } from '#server/testing/app.ts'
import setUp from '#server/testing/global-setup.ts'
import { openBrowser, openPage } from '../e2e/support/browser.ts'

const INDIGO = '#5046dd'
const shared = {
  landing: '/',
  about: '/about',
  services: '/services',
  pricing: '/pricing',
  contact: '/contact',
  templates: '/templates',
}

/** What is in sight, as WebP or PNG. */
async function image(page: Page, format: 'webp' | 'png', size: { width: number; height: number }): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format === 'webp' && { quality: 78 }),
    clip: { x: 0, y: 0, scale: 1, ...size },
  })
  await session.detach()
  return Buffer.from(data, 'base64')
}

/** The first part of each starter, as a mail program shows it; beside them the hashes of what they were drawn from. */
async function drawStarters(page: Page, app: Awaited<ReturnType<typeof testApp>>): Promise<void> {
  mkdirSync('public/starters', { recursive: true })
  const size = { width: 640, height: 720 }
  await page.setViewportSize(size)
  const person = await app.person()
  const drawn: Record<string, string> = {}
  for (const { id, subject, html: source, mjml } of (await app.api(templates.starters)).items) {
    const { html } = await person.api(templates.draftPreview, { body: { subject, html: source, mjml } })
    await page.setContent(html, { waitUntil: 'networkidle' })
    writeFileSync(`public/starters/${id}.webp`, await image(page, 'webp', size))
    drawn[id] = createHash('sha256')
      .update(source + mjml)
      .digest('hex')
  }
  writeFileSync('public/starters/drawn-from.json', `${JSON.stringify(drawn, null, 2)}\n`)
}

/** A page's headline beside the campaign that sends, 1200 by 630. */
async function drawShared(page: Page): Promise<void> {
  mkdirSync('public/og', { recursive: true })
  const size = { width: 1200, height: 630 }
  await page.setViewportSize(size)
  for (const [name, path] of Object.entries(shared)) {
    await page.goto(path, { waitUntil: 'networkidle' })
    const headline = await page.locator('h1').textContent()
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.evaluate((text) => {
      const screen = document.querySelector('.campaign-screen') as HTMLElement
      const mark = document.querySelector('header a[aria-label] > span') as HTMLElement
      const sheet = document.createElement('div')
      sheet.style.cssText =
        'position:fixed;inset:0;z-index:99;background:var(--color-page);display:grid;grid-template-columns:500px 640px;gap:48px;padding:0 0 0 64px;align-items:center;overflow:hidden'
      const left = document.createElement('div')
      mark.style.cssText = 'zoom:1.9;margin-bottom:28px'
      const title = document.createElement('p')
      title.textContent = text
      title.style.cssText =
        'font-size:62px;line-height:1.04;font-weight:680;letter-spacing:-0.035em;color:var(--color-ink);text-wrap:balance'
      left.append(mark, title)
      sheet.append(left, screen)
      document.body.append(sheet)
      for (const moving of document.getAnimations())
        if (moving.timeline === document.timeline) {
          moving.pause()
          moving.currentTime = 9_000
        }
    }, headline)
    writeFileSync(`public/og/${name}.png`, await image(page, 'png', size))
  }
}

/** One PNG in an ICO file, as every browser since 2007 reads it. */
function buildIco(png: Buffer, side: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(side, 6)
  head.writeUInt8(side, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(22, 18)
  return Buffer.concat([head, png])
}

async function drawIcons(page: Page): Promise<void> {
  const path = / d="([^"]+)"/.exec(readFileSync('public/favicon.svg', 'utf8'))?.[1] ?? ''
  async function icon(side: number, share: number, background: string, color: string): Promise<Buffer> {
    await page.setViewportSize({ width: side, height: side })
    await page.setContent(
      `<body style="margin:0;background:${background};display:grid;place-items:center;height:100vh"><svg width="${side * share}" height="${side * share}" viewBox="0 0 33 31"><path fill="${color}" fill-rule="evenodd" d="${path}"/></svg>`,
    )
    return page.screenshot({ omitBackground: true })
  }
  writeFileSync('public/favicon.ico', buildIco(await icon(32, 1, 'transparent', INDIGO), 32))
  writeFileSync('public/apple-touch-icon.png', await icon(180, 0.66, INDIGO, '#fff'))
  for (const side of [192, 512]) writeFileSync(`public/icon-${side}.png`, await icon(side, 0.6, INDIGO, '#fff'))
}

// Ends last: the product needs its database until it has stopped.
await using _database = { [Symbol.asyncDispose]: await setUp() }
await using app = await testApp({ pages: 'built' })
await using browser = await openBrowser()
const page = await openPage(browser, app.address, { colorScheme: 'light' })
await drawStarters(page, app)
await drawShared(page)
await drawIcons(page)
