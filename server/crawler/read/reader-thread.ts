/** The reading thread: a hostile page may take seconds, and other work of the same process must not wait for it. */
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import { digestPage, digestSiteMap } from './digest.ts'
import type { Reading } from './reader.ts'

serveTasks(({ task, siteMap }: Reading) => {
  try {
    return siteMap === undefined ? digestPage(task) : digestSiteMap(task, siteMap)
  } catch (error) {
    // Also one that is nested too deeply is a page that cannot be read, and not one that is too large.
    throw new Error((error as Error).message)
  }
})
