import type { Page } from 'playwright-core'
import type { TestApp } from '#server/testing/app.ts'
import { openPage } from './browser.ts'
import { browser } from './chromium.ts'

type WatchedPage = Page & { complaints: string[] }

/** A page that notes what hostile text does on it: sets `fired` on a window, or opens a dialog. */
export async function watched(
  t: TestApp,
  token?: string,
): Promise<{ page: WatchedPage; fired: () => Promise<unknown[]> }> {
  const page = await openPage(browser, t.address, token ? { token } : {})
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') dialogs.push(dialog.message())
    void dialog.accept()
  })
  return {
    page,
    fired: async () => {
      const flags: number[] = []
      // Frames too: what runs in one need not reach the page around it.
      for (const frame of page.frames())
        flags.push(await frame.evaluate(() => (globalThis as { fired?: number }).fired ?? 0))
      return [...dialogs, ...flags.filter(Boolean)]
    },
  }
}
