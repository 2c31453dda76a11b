/** Profiles of a browser that one test takes after the other: their caches hold what was loaded, and nothing else stays. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export interface ProfileOptions extends BrowserContextOptions {
  baseURL: string
  /** Consent was not given yet. */
  undecided?: boolean
  /** One whose caches are empty: for tests of what is loaded. */
  uncached?: boolean
}

export interface Profile {
  context: BrowserContext
  page: Page
  /** Ends it, or leaves it to the next test. */
  end(): Promise<void>
}

interface Shared {
  context: BrowserContext
  baseURL: string
  /** Where its pages have been. */
  origins: Set<string>
  /** It was given what outlives a page. */
  isChanged: boolean
}

/** What a context remembers when its pages are gone; storage and cookies apart. */
const REMEMBERED = [
  ...['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'route', 'routeFromHAR'],
  ...['routeWebSocket', 'setExtraHTTPHeaders', 'setGeolocation', 'setHTTPCredentials', 'setOffline'],
]
const CLOCK = ['fastForward', 'install', 'pauseAt', 'runFor', 'setFixedTime', 'setSystemTime']

/** Most tests have one at a time, some two. */
const MAX_IDLE = 2
const idle = new WeakMap<Browser, Shared[]>()

/** A profile of its own. */
export async function ownProfile(browser: Browser, options: ProfileOptions): Promise<Profile> {
  const context = await openContext(browser, options)
  return { context, page: await context.newPage(), end: () => context.close() }
}

/**
 * A profile as it was in the beginning, but for its caches: they save a page a third of its processor time. It has the plain
 * options, and so has every further page of it: its first one alone has the size and colors that were asked for. A test that changes what outlives a page, such as its clock, is the last one that has it.
 */
export async function sharedProfile(browser: Browser, baseURL: string): Promise<Profile> {
  const profiles = idle.get(browser) ?? []
  idle.set(browser, profiles)
  // The one whose caches know the most.
  const at = profiles.findLastIndex((one) => one.baseURL === baseURL)
  const [known] = at < 0 ? [] : profiles.splice(at, 1)
  const profile = known ?? (await startShared(browser, baseURL))
  const { context } = profile
  const page = await context.newPage()
  if (known) await empty(known, page)
  return {
    context,
    page,
    async end() {
      if (profile.isChanged) return context.close()
      await Promise.all(context.pages().map((page) => page.close()))
      profiles.push(profile)
      if (profiles.length > MAX_IDLE) await profiles.shift()?.context.close()
    },
  }
}

async function openContext(browser: Browser, { undecided, uncached: _, ...options }: ProfileOptions) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  // Generous: nothing waits this long except on a busy machine.
  context.setDefaultTimeout(60_000)
  if (!undecided)
    await context.addInitScript(() => {
      // A sandboxed frame, such as a shown mail, has no storage.
      if (globalThis.origin !== 'null' && localStorage.getItem('userConsent') === null)
        localStorage.setItem('userConsent', 'accepted')
    })
  return context
}

async function startShared(browser: Browser, baseURL: string): Promise<Shared> {
  const context = await openContext(browser, { baseURL })
  const origins = new Set<string>()
  context.on('page', (page) =>
    page.on('framenavigated', (frame) => {
      const { origin } = new URL(frame.url())
      if (origin !== 'null') origins.add(origin)
    }),
  )
  const profile = { context, baseURL, origins, isChanged: false }
  context.on('close', () => {
    profile.isChanged = true
  })
  const note = (of: object, names: string[]) => {
    for (const name of names) {
      const act = Reflect.get(of, name) as (...given: unknown[]) => unknown
      const noted = (...given: unknown[]) => {
        profile.isChanged = true
        return act.apply(of, given)
      }
      Object.assign(of, { [name]: noted })
    }
  }
  note(context, REMEMBERED)
  note(context.clock, CLOCK)
  return profile
}

/** Removes what pages stored. None of them is open any more: `page` is new and has been nowhere. */
async function empty({ context, origins }: Shared, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await Promise.all([
    context.clearCookies(),
    ...[...origins].map((origin) => session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })),
  ])
  await session.detach()
}
