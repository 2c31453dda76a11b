import { openBrowser } from './browser.ts'

/** The Chromium of this worker: every file that runs in it opens pages of its own profile in it. It ends with the worker. */
export const browser = await openBrowser()
