import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium of the machine (CHROMIUM_PATH, else /usr/bin/chromium); close it with the test. */
export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: QUIET,
  })
  return Object.assign(browser, { [Symbol.asyncDispose]: () => browser.close() })
}

/**
 * A page of its own profile that remembers every console error and exception in `complaints`. Refused requests are not
 * complaints. Consent was given already, unless `undecided`. A page opened within a test closes with it: pages that
 * stay open cost all later tests time.
 */
export async function openPage(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions & { token?: string; undecided?: boolean } = {},
): Promise<Page & { complaints: string[] }> {
  const { token, undecided, ...rest } = options
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 }, ...rest })
  // Generous: nothing waits this long except on a busy machine.
  context.setDefaultTimeout(60_000)
  if (!undecided)
    await context.addInitScript(() => {
      // A sandboxed frame, such as a shown mail, has no storage.
      if (globalThis.origin !== 'null' && localStorage.getItem('userConsent') === null)
        localStorage.setItem('userConsent', 'accepted')
    })
  if (expect.getState().currentTestName !== undefined) onTestFinished(() => context.close())
  const page = await context.newPage()
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
  return Object.assign(page, { complaints })
}

/** What axe finds serious or critical on the page as it stands, as readable lines. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations
      .filter((v) => ['serious', 'critical'].includes(v.impact))
      .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)
  })
}

/** By how many pixels the page can be scrolled sideways; 0 is right. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
}
