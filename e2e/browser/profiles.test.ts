import { expect, test } from 'vitest'
import { browser } from '../support/chromium.ts'
import { t } from '../support/product.ts'
import { sharedProfile } from '../support/profiles.ts'

test('profile: a page finds nothing of what an earlier one stored, and nothing that was set for it', async () => {
  const first = await sharedProfile(browser, t.address)
  await first.page.goto('/login', { waitUntil: 'networkidle' })
  await first.page.evaluate(async () => {
    localStorage.setItem('token', 'of somebody before')
    localStorage.setItem('userConsent', 'rejected')
    sessionStorage.setItem('draft', 'x')
    // biome-ignore lint/suspicious/noDocumentCookie: what a page may do.
    document.cookie = 'left=1'
    await caches.open('left')
    await new Promise((resolve) => Object.assign(indexedDB.open('left'), { onsuccess: resolve }))
  })
  await first.end()
  const second = await sharedProfile(browser, t.address)
  expect(second.context).toBe(first.context)
  await second.page.goto('/login', { waitUntil: 'networkidle' })
  const found = await second.page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookie: document.cookie,
    caches: await caches.keys(),
    databases: await indexedDB.databases(),
    isCached: performance
      .getEntriesByType('resource')
      .some(
        (entry) => entry.name.includes('/assets/framework-') && 'transferSize' in entry && entry.transferSize === 0,
      ),
  }))
  expect(found).toEqual({
    ...{ local: { userConsent: 'accepted' }, session: {}, cookie: '', caches: [], databases: [] },
    isCached: true,
  })
  await second.page.clock.install()
  await second.end()
  const third = await sharedProfile(browser, t.address)
  expect(third.context).not.toBe(first.context)
  await third.end()
})
