import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { untilPasses } from '#server/testing/until.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { freshCheckout, npm } from '../support/fresh-checkout.ts'
import { freePort } from '../support/server-process.ts'

const PAGE = 'web/features/accounts/sign-in/login-page.tsx'
const SERVER = 'server/platform/http/pages/pages.ts'

test.skipIf(!isLong)(
  'dev server: it follows changes of pages and server, survives broken code, and ends on Ctrl-C',
  async () => {
    using checkout = freshCheckout()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const edit = (file: string, from: string, to: string) => {
      const path = join(checkout.folder, file)
      const text = readFileSync(path, 'utf8')
      expect(text).toContain(from)
      writeFileSync(path, text.replaceAll(from, to))
    }
    const unknownAddress = async () => (await fetch(`${url}/api/nothing-here`)).json()

    using dev = npm(checkout.folder, ['run', 'dev'], { PORT: String(port), LOG_LEVEL: 'warn' })
    const ready = () => dev.says(/Postlark is ready/)
    await ready()

    await using browser = await openBrowser()
    const page = await openPage(browser, url)
    // How often Vite's client in the page found its server: after an outage it loads the page anew, and then connects.
    let connections = 0
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"type":"connected"')) connections++
      }),
    )
    const connectedAgain = async (before: number) => {
      await untilPasses(async () => expect(connections).toBeGreaterThan(before))
      // A change that comes while the page still loads would pass it by.
      await page.waitForLoadState('networkidle')
    }
    // The first visit finds packages that Vite has yet to bundle, and loads once more with them.
    await page.goto('/login', { waitUntil: 'networkidle' })
    await page.reload({ waitUntil: 'networkidle' })
    const heading = page.getByRole('heading', { level: 1 })
    await page.getByLabel('Email').fill('typed@example.com')

    // A page changes in the open browser, and what was typed is still there.
    edit(PAGE, 'title="Log in"', 'title="Come in"')
    await page.getByRole('heading', { name: 'Come in' }).waitFor()
    edit(PAGE, 'title="Come in"', 'title="Come in')
    await page.locator('vite-error-overlay').waitFor({ state: 'attached' })
    const broken = await fetch(`${url}/login`)
    expect(broken.status).toBe(500)
    expect(await broken.text()).toContain('Unexpected token')
    edit(PAGE, 'title="Come in', 'title="Step in"')
    await page.getByRole('heading', { name: 'Step in' }).waitFor()
    await page.locator('vite-error-overlay').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Email').inputValue()).toBe('typed@example.com')
    // What the server renders is the same.
    expect(await (await fetch(`${url}/login`)).text()).toContain('Step in')

    // The server starts again with what was changed; one that cannot start is fixed by the next edit.
    expect(await unknownAddress()).toMatchObject({ error: 'This page does not exist.' })
    let before = connections
    edit(SERVER, 'This page does not exist.', 'There is nobody at this address.')
    await ready()
    await connectedAgain(before)
    before = connections
    expect(await unknownAddress()).toMatchObject({ error: 'There is nobody at this address.' })
    edit(SERVER, 'export async function servePages(', 'export async function servePages((')
    await dev.says(/SyntaxError[\s\S]*Failed running/)
    await expect(unknownAddress()).rejects.toThrow()
    edit(SERVER, 'export async function servePages((', 'export async function servePages(')
    await ready()
    expect(await unknownAddress()).toMatchObject({ error: 'There is nobody at this address.' })

    // The browser that was open all the time finds the server again, and still follows.
    await connectedAgain(before)
    edit(PAGE, 'title="Step in"', 'title="Log in again"')
    await page.getByRole('heading', { name: 'Log in again' }).waitFor()
    expect(await heading.count()).toBe(1)

    // Threads report to Node's watcher; nothing of ours takes that for a message.
    expect(dev.output()).not.toContain('"level":50')

    dev.signalGroup('SIGINT')
    dev.signalGroup('SIGINT')
    await dev.exited
    // The group is empty: no process is left that a signal could reach.
    expect(() => dev.signalGroup('SIGCONT')).toThrow('ESRCH')
    await expect(unknownAddress()).rejects.toThrow()
  },
  600_000,
)
