import { expect, test } from 'vitest'
import { until } from '#server/testing/until.ts'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const at = (width: number, more: object = {}) =>
  openPage(browser, t.address, { viewport: { width, height: 800 }, ...more })
const bar = ['Home', 'About Us', 'Services', 'Templates', 'Blogs', 'Contact Us']

for (const width of [500, 800, 1024])
  test(`public site: at ${width} px the menu closes by a click outside, Escape, a link or more width`, async () => {
    const page = await at(width)
    await page.goto('/about')
    const menu = page.locator('#mobile-menu')
    const open = page.getByRole('button', { name: 'Open menu' })
    expect(await menu.isVisible()).toBe(false)
    await open.click()
    expect(await menu.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([...bar, 'Pricing'])
    await menu.getByRole('link', { name: 'Get Started For Free' }).waitFor()
    await page.getByRole('button', { name: 'Close menu' }).click()
    await menu.waitFor({ state: 'hidden' })

    await open.click()
    await menu.waitFor()
    await page.mouse.click(width / 2, 780)
    await menu.waitFor({ state: 'hidden' })

    await open.click()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })

    await open.click()
    await page.setViewportSize({ width: 1024, height: 800 })
    expect(await menu.isVisible()).toBe(true)
    await page.setViewportSize({ width: 1025, height: 800 })
    // The style hides it at once; closed it is after the frame in which the page hears of its new width.
    await page.locator('#mobile-menu[hidden]').waitFor({ state: 'attached' })
    await page.setViewportSize({ width, height: 800 })
    expect(await menu.isVisible()).toBe(false)

    await open.click()
    await menu.getByRole('link', { name: 'Pricing' }).click()
    await page.waitForURL('**/pricing')
    await menu.waitFor({ state: 'hidden' })
  })

for (const width of [1100, 1280])
  test(`public site: at ${width} px the header has its links, and My Account with a stored token`, async () => {
    const page = await at(width)
    await page.goto('/services')
    const nav = page.getByRole('banner').getByRole('navigation', { name: 'Main' })
    expect(await nav.getByRole('link').allInnerTexts()).toEqual(bar)
    const header = page.getByRole('banner')
    expect(await header.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
    expect(await header.getByRole('link', { name: 'Get Started For Free' }).getAttribute('href')).toBe('/signup')

    const inside = await at(width, { token: (await t.person()).token })
    await inside.goto('/services')
    const mine = inside.getByRole('banner')
    expect(await mine.getByRole('link', { name: 'My Account' }).getAttribute('href')).toBe('/dashboard')
    expect(await mine.getByRole('link', { name: 'Log in' }).count()).toBe(0)
    await mine.getByRole('button', { name: 'Logout' }).click()
    await inside.waitForURL('**/login')
    expect(await inside.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

test('public site: the footer has its columns and year, and its two disabled links say so', async () => {
  const page = await at(1280)
  await page.goto('/about')
  const footer = page.getByRole('contentinfo')
  const account = footer.locator('section', { hasText: 'Account' })
  const links = account.getByRole('link')
  expect((await links.allInnerTexts()).map((text) => text.replace(/\s*\(.*/s, ''))).toEqual([
    'Account',
    'Log in',
    'Sign Up',
    'Careers',
    'Terms & Condition',
    'Privacy Policy',
  ])
  for (const name of [/Careers/, /Terms & Condition/]) {
    const dead = footer.getByRole('link', { name })
    expect([await dead.getAttribute('href'), await dead.getAttribute('aria-disabled')]).toEqual([null, 'true'])
  }
  await footer.getByText('© 2025').waitFor()
  await footer.getByText('so people are glad to hear from you').waitFor()
})

test('public site: a new page and going back start at the top, and a reload restores the position', async () => {
  const page = await at(1280)
  await page.goto('/services', { waitUntil: 'networkidle' })
  const top = () => page.evaluate(() => scrollY)
  await page.evaluate(() => scrollTo(0, 1_200))
  await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click()
  await page.getByRole('heading', { level: 1, name: 'Email is a promise' }).waitFor()
  expect(await top()).toBe(0)
  await page.evaluate(() => scrollTo(0, 700))
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Four tools' }).waitFor()
  expect(await top()).toBe(0)
  await page.evaluate(() => scrollTo(0, 900))
  await page.reload({ waitUntil: 'networkidle' })
  expect(await top()).toBe(900)
})

/** Whether the loader was shown, and whether it was there so many milliseconds after its first frame. */
interface LoaderSeen {
  shown?: boolean
  at700?: boolean
  at900?: boolean
}

test('public site: the loader covers a reload for 800 ms, and no first visit or navigation', async () => {
  const page = await at(1280)
  await page.addInitScript(() => {
    const seen: LoaderSeen = {}
    Object.assign(globalThis, { loaderSeen: seen })
    const isShown = () => {
      const loader = document.querySelector('.site-loader')
      return loader !== null && getComputedStyle(loader).display !== 'none'
    }
    const look = () => {
      if (isShown()) seen.shown = true
      requestAnimationFrame(look)
    }
    look()
    // Timers of the page itself: on a busy machine they are as late as the loader's.
    new MutationObserver((_, observer) => {
      observer.disconnect()
      requestAnimationFrame(() => {
        setTimeout(() => Object.assign(seen, { at700: document.documentElement.dataset.loading !== undefined }), 700)
        setTimeout(() => Object.assign(seen, { at900: isShown() }), 900)
      })
    }).observe(document, { attributeFilter: ['data-loading'], subtree: true })
  })
  const seen = () => page.evaluate(() => (globalThis as unknown as { loaderSeen: LoaderSeen }).loaderSeen)
  for (const path of ['/pricing', '/login']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await seen()).toEqual({})
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload({ waitUntil: 'networkidle' })
    await page.waitForFunction(() => 'at900' in (globalThis as unknown as { loaderSeen: LoaderSeen }).loaderSeen)
    expect(await seen()).toEqual({ shown: true, at700: true, at900: false })
    // What is likely next came while it showed.
    for (const file of ['login-page', 'signup-page', 'dashboard-page'])
      await until(async () => asked.some((one) => one.includes(file)), `a request for ${file}`)
    page.removeAllListeners('request')
  }
  await page.goto('/about', { waitUntil: 'networkidle' })
  await page.getByRole('link', { name: 'Services' }).first().click()
  await page.waitForURL('**/services')
  expect(await seen()).toEqual({})
})

test('public site: login and sign-up open offline after the loader', async () => {
  const page = await at(1280, { uncached: true })
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.reload({ waitUntil: 'networkidle' })
  await page.locator('.site-loader').waitFor({ state: 'hidden' })
  // The loader may have gone before the page's program was there to fetch anything.
  await page.waitForFunction(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload], link[rel=prefetch]')]
    return (
      ['login-page', 'signup-page'].every((name) => links.some(({ href }) => href.includes(name))) &&
      links.every(({ href }) => performance.getEntriesByName(href).length > 0)
    )
  })
  await page.context().setOffline(true)
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Sign up' }).waitFor()
})

test('public site: linked pages are fetched 400 ms after the load, and other pages only on a visit', async () => {
  const page = await at(1280, { uncached: true })
  const asked = new Set<string>()
  page.on('request', (request) => {
    const [, name] = /assets\/([a-z-]+-page)-/.exec(request.url()) ?? []
    if (name) asked.add(name)
  })
  // A timer of the page itself: on a busy machine it is as late as the one that fetches.
  await page.addInitScript(() => {
    const note = () => {
      const early = [...document.querySelectorAll('link')]
        .map(({ href }) => href)
        .filter((href) => href.includes('-page-'))
      Object.assign(globalThis, { early })
    }
    addEventListener('load', () => setTimeout(note, 300))
  })
  await page.goto('/privacy-policy', { waitUntil: 'load' })
  const beside = ['contact-page', 'about-page', 'pricing-page', 'services-page']
  await until(async () => beside.every((name) => asked.has(name)), 'requests for the pages beside it')
  const early = await page.evaluate(() => (globalThis as unknown as { early: string[] }).early)
  expect(early.filter((href) => beside.some((name) => href.includes(name)))).toEqual([])
  await page.waitForLoadState('networkidle')
  expect([...asked].sort()).toEqual([...beside, 'privacy-policy-page'].sort())
  await page.getByRole('contentinfo').getByRole('link', { name: 'Sign Up' }).click()
  await page.waitForURL('**/signup')
  expect(asked.has('signup-page')).toBe(true)
  // The page of visitors who sign in is public too.
  asked.clear()
  await page.goto('/login')
  await until(async () => beside.every((name) => asked.has(name)), 'requests for the pages beside it')
})

test('public site: a page whose code cannot be loaded shows an error, and loads on the second try', async () => {
  const page = await at(1280)
  await page.goto('/about')
  await page.route('**/assets/templates-page-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Templates' }).first().click()
  await page.getByRole('heading', { name: 'Failed to load component' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/templates')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Services' }).waitFor()
  await page.unroute('**/assets/templates-page-*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Starter templates' }).waitFor()
})

test('public site: a page whose framework cannot be loaded stays readable and shows an error', async () => {
  const page = await at(500)
  await page.route('**/assets/framework-*', (route) => route.abort())
  await page.goto('/pricing', { waitUntil: 'commit' })
  await page.getByRole('alert').getByText('Failed to load component').waitFor()
  await page.getByRole('heading', { name: 'Simple pricing, clear limits' }).waitFor()
  await page.unroute('**/assets/framework-*')
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  expect(await page.getByText('Failed to load component').isVisible()).toBe(false)
})

test('public site: an unknown URL returns 404 and shows Page Not Found with header and footer', async () => {
  const page = await at(800)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await page.getByRole('contentinfo').waitFor()
})
