import { expect, test } from 'vitest'
import { untilPasses } from '#server/testing/until.ts'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

type Page = Awaited<ReturnType<typeof openPage>>
const at = (width: number, more: object = {}) =>
  openPage(browser, t.address, { viewport: { width, height: 800 }, ...more })

/** Scrolls the carousel into sight and waits until it turns. */
async function carousel(page: Page) {
  await page.goto('/')
  const group = page.getByRole('group', { name: 'Testimonials' })
  await group.scrollIntoViewIfNeeded()
  await page.locator('.swiper-initialized').waitFor()
  return group
}

/** The places of the slides across the carousel: left edges and widths in pixels, from left to right. */
const slides = (page: Page) =>
  page.evaluate(() => {
    const frame = document.querySelector('.swiper') as HTMLElement
    const { left, right } = frame.getBoundingClientRect()
    const places = [...frame.querySelectorAll('.swiper-slide')]
      .map((slide) => slide.getBoundingClientRect())
      .sort((a, b) => a.left - b.left)
    return {
      seen: places.filter((place) => place.left >= left - 1 && place.right <= right + 1).length,
      gap: Math.round((places[1]?.left ?? 0) - (places[0]?.right ?? 0)),
      all: places.length,
    }
  })

/** The name on the slide in front. */
const inFront = (page: Page) => page.locator('.swiper-slide-active figcaption').textContent()

for (const [widths, seen, gap] of [
  [[500, 640, 767], 1, 24],
  [[768, 800, 1023], 2, 16],
  [[1024, 1100, 1280], 3, 32],
] as const)
  test(`landing page: at ${widths.join(', ')} px the carousel shows ${seen} slides, ${gap} px apart`, async () => {
    const page = await at(widths[0], { reducedMotion: 'reduce' })
    await carousel(page)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await untilPasses(async () => expect({ width, ...(await slides(page)) }).toEqual({ width, seen, gap, all: 5 }))
    }
    expect(await page.getByRole('img', { name: 'Rated 5 of 5' }).count()).toBe(5)
    expect(page.complaints).toEqual([])
  })

/** Waits until no slide is on its way: that takes the browser's own time, which the page's clock does not move. */
const untilArrived = (page: Page) =>
  page
    .locator('.swiper-wrapper')
    .evaluate((slides) => Promise.allSettled(slides.getAnimations().map(({ finished }) => finished)))

/** A page whose clock stands, so that only a test moves it: a busy machine turns no slide early or late. */
async function withClock(width: number, more: object = {}) {
  const page = await at(width, more)
  await page.clock.install()
  await carousel(page)
  // The jump may be a turn's time, and a carousel that is not laid out yet has nowhere to turn to.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.clock.pauseAt(Date.now() + 60_000)
  // The jump may have turned a slide, and the carousel counts anew when that has arrived.
  await untilArrived(page)
  return page
}

/**
 * Lets the page's clock run until another slide is in front, and waits for it. Returns whose it is and how many
 * milliseconds of that clock it took.
 */
async function turned(page: Page, act: () => Promise<unknown> = async () => undefined) {
  const before = await inFront(page)
  await act()
  for (let ms = 0; ms <= 20_000; ms += 100) {
    const name = await inFront(page)
    if (name !== before) {
      await untilArrived(page)
      return { name, ms }
    }
    await page.clock.runFor(100)
  }
  throw new Error(`still ${before} after twenty seconds`)
}

test('landing page: the carousel turns every four seconds in a loop, and continues after it was used', async () => {
  const page = await withClock(500)
  const first = await inFront(page)
  const names = [(await turned(page)).name]
  for (let n = 0; n < 4; n++) {
    const { name, ms } = await turned(page)
    expect(ms).toBeGreaterThan(3_000)
    expect(ms).toBeLessThan(6_000)
    names.push(name)
  }
  expect(new Set(names).size).toBe(5)
  expect(names[4]).toBe(first)

  const press = (name: string) => turned(page, () => page.getByRole('button', { name }).click())
  const next = await press('Next testimonial')
  expect([next.name, next.ms < 2_000]).toEqual([names[0], true])
  const previous = await press('Previous testimonial')
  expect([previous.name, previous.ms < 2_000]).toEqual([first, true])
  expect((await press('Previous testimonial')).name).toBe(names[3])
  // Dragging it does not stop it either.
  const box = await page.getByRole('group', { name: 'Testimonials' }).boundingBox()
  if (!box) throw new Error('no carousel')
  await turned(page, async () => {
    await page.mouse.move(box.x + 400, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + 60, { steps: 8 })
    await page.mouse.up()
  })
  expect((await turned(page)).ms).toBeLessThan(6_000)
})

for (const width of [500, 1280])
  test(`landing page: at ${width} px the first slide turns back to the last by button, key and drag`, async () => {
    const page = await at(width, { reducedMotion: 'reduce' })
    const group = await carousel(page)
    // Where it is seen, and not what the carousel calls active.
    const seenFirst = () =>
      page.evaluate(() => {
        const { left } = (document.querySelector('.swiper') as HTMLElement).getBoundingClientRect()
        const slide = [...document.querySelectorAll('.swiper-slide')].find(
          (one) => Math.abs(one.getBoundingClientRect().left - left) < 2,
        )
        return slide?.querySelector('figcaption')?.textContent?.slice(2)
      })
    await untilPasses(async () => expect(await seenFirst()).toMatch(/^Amara Okafor/))
    await page.getByRole('button', { name: 'Previous testimonial' }).click()
    await untilPasses(async () => expect(await seenFirst()).toMatch(/^Mei Tanaka/))
    await group.press('ArrowLeft')
    await untilPasses(async () => expect(await seenFirst()).toMatch(/^Tomás Rivera/))
    await group.press('ArrowRight')
    await untilPasses(async () => expect(await seenFirst()).toMatch(/^Mei Tanaka/))
    await group.press('ArrowRight')
    await untilPasses(async () => expect(await seenFirst()).toMatch(/^Amara Okafor/))
    const box = await group.boundingBox()
    if (!box) throw new Error('no carousel')
    await page.mouse.move(box.x + 60, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + 60 + Math.min(300, box.width - 80), box.y + 60, { steps: 8 })
    await page.mouse.up()
    await untilPasses(async () => expect(await seenFirst()).toMatch(/^Mei Tanaka/))
  })

test('landing page: the carousel stops while it is paused and continues afterwards', async () => {
  const page = await withClock(1280)
  const held = await inFront(page)
  await page.getByRole('button', { name: 'Pause testimonials' }).click()
  await page.clock.runFor(60_000)
  expect(await inFront(page)).toBe(held)
  const { ms } = await turned(page, () => page.getByRole('button', { name: 'Play testimonials' }).click())
  expect(ms).toBeLessThan(6_000)
  expect(page.complaints).toEqual([])
})

test('landing page: the carousel does not turn by itself where reduced motion is requested', async () => {
  const page = await withClock(1280, { reducedMotion: 'reduce' })
  const still = await inFront(page)
  await page.clock.runFor(60_000)
  expect(await inFront(page)).toBe(still)
  await turned(page, () => page.getByRole('button', { name: 'Next testimonial' }).click())
})

test('landing page: after a reload the consent dialog opens when the loader is gone', async () => {
  const page = await at(1280, { undecided: true })
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.addInitScript(() => {
    const both = () => {
      const loading = document.documentElement?.dataset.loading !== undefined
      if (loading && document.querySelector('dialog[open]')) Object.assign(globalThis, { overlapped: true })
      requestAnimationFrame(both)
    }
    both()
  })
  await page.reload()
  await page.getByRole('dialog', { name: 'Your privacy' }).waitFor()
  expect(await page.evaluate(() => (globalThis as { overlapped?: boolean }).overlapped)).toBeUndefined()
})

test('landing page: a service card opens its tool on the dashboard', async () => {
  const page = await at(1100, { token: (await t.person()).token })
  for (const [name, id] of [
    ['Bulk email sending', 'bulkMailer'],
    ['Lead collection', 'mailScraper'],
    ['WhatsApp automation', 'whatsAppSender'],
    ['Real-time analyst', 'numberScraper'],
  ]) {
    await page.goto('/')
    await page.getByRole('heading', { name }).click()
    await page.waitForURL(`**/dashboard?service=${id}`)
  }
})

test('landing page: the consent dialog stays closed on both URLs after it was accepted', async () => {
  const page = await at(1280, { undecided: true })
  await page.goto('/')
  const dialog = page.getByRole('dialog', { name: 'Your privacy' })
  await dialog.waitFor()
  // The page stays in use: the focus is nowhere, Escape chooses nothing, and links lead on and back.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'About Us' }).first().click()
  await page.waitForURL('**/about')
  await page.goBack()
  await dialog.waitFor()
  await page.getByRole('button', { name: 'Accept All' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => localStorage.getItem('userConsent'))).toBe('accepted')
  for (const path of ['/', '/home']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await dialog.isVisible()).toBe(false)
  }
})

test('landing page: rejecting consent leads to the search site, now and on each later visit', async () => {
  const page = await at(800, { undecided: true })
  await page.route('https://duckduckgo.com/**', (route) => route.fulfill({ body: 'a search site' }))
  await page.goto('/home')
  await page.getByRole('button', { name: 'Reject All' }).click()
  await page.waitForURL('https://duckduckgo.com/')
  // Other pages stay open after a refusal; the landing page leads away again.
  await page.goto(`${t.address}/about`)
  expect(await page.evaluate(() => localStorage.getItem('userConsent'))).toBe('rejected')
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.waitForURL('https://duckduckgo.com/')
})

test('landing page: the consent dialog opens after a navigation from another page', async () => {
  const page = await at(1280, { undecided: true })
  await page.goto('/about', { waitUntil: 'networkidle' })
  const dialog = page.getByRole('dialog', { name: 'Your privacy' })
  expect(await dialog.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Home' }).first().click()
  await dialog.waitFor()
})

test('landing page: without JavaScript the whole text is readable, with no dialog and no loader', async () => {
  const page = await at(500, { javaScriptEnabled: false, undecided: true })
  await page.goto('/')
  await page.reload()
  for (const text of ['Send email people are glad to get.', 'Authenticate', '99.9%', 'Mei Tanaka', 'MJML'])
    await page.getByText(text).first().scrollIntoViewIfNeeded()
  expect(await page.getByRole('dialog').isVisible()).toBe(false)
  expect(await page.locator('.site-loader').isVisible()).toBe(false)
})
