import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page, type Response } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { ownProfile, type ProfileOptions, sharedProfile } from './profiles.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  // There is none: a process of its own would only pass pixels on.
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

/** Chromium of the machine (CHROMIUM_PATH, else its headless shell, else the whole one); close it with the test. */
export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? CHROMIUM.find((path) => existsSync(path)) ?? CHROMIUM[1],
    args: QUIET,
  })
  return Object.assign(browser, { [Symbol.asyncDispose]: () => browser.close() })
}

/**
 * A page whose profile holds nothing, that remembers every console error and exception in `complaints`. Refused requests
 * are not complaints. Consent was given already, unless `undecided`. A page opened within a test closes with it: pages that
 * stay open cost all later tests time.
 */
export async function openPage(
  browser: Browser,
  baseURL: string,
  options: Omit<ProfileOptions, 'baseURL'> & { token?: string } = {},
): Promise<Page & { complaints: string[] }> {
  const { token, ...rest } = options
  const { javaScriptEnabled = true } = options
  const { viewport, colorScheme, reducedMotion, ...more } = rest
  const isInTest = expect.getState().currentTestName !== undefined
  const isPlain = isInTest && Object.keys(more).length === 0
  const { page, end } = await (isPlain ? sharedProfile(browser, baseURL) : ownProfile(browser, { baseURL, ...rest }))
  if (isInTest) onTestFinished(end)
  if (isPlain && viewport) await page.setViewportSize(viewport)
  if (isPlain && (colorScheme || reducedMotion)) await page.emulateMedia({ colorScheme, reducedMotion })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  if (token) {
    await page.goto('/favicon.svg')
    await page.evaluate((value) => localStorage.setItem('token', value), token)
  }
  return Object.assign(page, { complaints }, javaScriptEnabled && waitingLoads(page))
}

/** A page of the product whose program runs, or a page without a program. */
const RUNNING = ':root[data-ready], :root:not(:has(script[type=module]))'

/**
 * Loads a page and waits until its program runs: before, a click on what the server rendered does nothing. With
 * `waitUntil: 'commit'` it does not wait, as where a test keeps the program from the page.
 */
function waitingLoads(page: Page): Pick<Page, 'goto' | 'reload'> {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  type Options = Parameters<Page['goto']>[1]
  async function afterwards(response: Response | null, { waitUntil }: Options = {}) {
    if (waitUntil !== 'commit') await page.locator(RUNNING).waitFor({ state: 'attached' })
    return response
  }
  return {
    goto: async (url, options) => afterwards(await goto(url, options), options),
    reload: async (options) => afterwards(await reload(options), options),
  }
}

/**
 * Takes what moves or changes color to its end: on its way it has no color of its own. From now on nothing sets out any
 * more, as an element would whose parent arrived: each would cost two frames.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const still = globalThis as { isStill?: boolean }
    if (!still.isStill) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(sheet)
      still.isStill = true
    }
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, timeline, playState }) =>
            playState === 'running' && effect?.getTiming().iterations === 1 && timeline === document.timeline,
        )
    const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await twoFrames()
    for (let moving = passing(); moving.length > 0; moving = passing()) {
      for (const animation of moving) animation.finish()
      await twoFrames()
    }
  })
}

/** What axe finds serious or critical on the page once it is still, as readable lines. `rules`: only these, by their ids. */
export async function accessibilityFaults(page: Page, rules?: string[]): Promise<string[]> {
  await untilStill(page)
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: {
        _audit: { rules: { id: string; impact: string }[] }
        run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }>
      }
    }
    const counted = ['serious', 'critical']
    // The impact of a rule is that of all its faults. Those that are not told cost a fifth of the time.
    const untold = axe._audit.rules.filter(({ impact }) => impact && !counted.includes(impact))
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      // Sounds and style sheets, for rules that are not told.
      preload: false,
      ...(rules ? { runOnly: rules } : { rules: Object.fromEntries(untold.map(({ id }) => [id, { enabled: false }])) }),
    })
    return violations
      .filter((v) => counted.includes(v.impact))
      .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)
  }, rules)
}

/** By how many pixels the page can be scrolled sideways; 0 is right. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
}

/** What the colors of a page decide. Everything else of axe is the same in the dark. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Each look at a screen. A narrow one shows the same colors as a wide one, so that the dark is looked at once; what is
 * narrower than a phone can only be too wide. `scripts/screens.ts` looks at every combination.
 */
const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 375, colorScheme: 'light', rules: undefined },
  { width: 1280, colorScheme: 'dark', rules: COLOR_RULES },
  { width: 1280, colorScheme: 'light', rules: undefined },
] as const

/**
 * What is wrong with the screen as it stands, wide and narrow, light and dark: faults for axe, sideways scrolling, console
 * errors. Readable lines; right is an empty list. The page is loaded once, and is wide and light afterwards.
 */
export async function screenFaults(page: Page & { complaints: string[] }): Promise<string[]> {
  const faults: string[] = []
  for (const look of LOOKS) {
    const { width, colorScheme } = look
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found = 'rules' in look ? await accessibilityFaults(page, look.rules && [...look.rules]) : []
    const pixels = await sidewaysScroll(page)
    if (pixels > 0) found.push(`scrolls sideways by ${pixels} pixels`)
    faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`))
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
  return [...faults, ...page.complaints]
}
