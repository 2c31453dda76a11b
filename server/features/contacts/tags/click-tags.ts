import type { Services } from '#server/services.ts'
import { tagClicked, workspacesWithLinkTags } from './click-tags-store.ts'

/** A burst over links turns the clicks of the minute before into a machine's; this is well after it. */
const SETTLE_SECONDS = 90
/** No statement that writes clicks takes so long. */
const OVERLAP_SECONDS = 600
/** Events of a workspace at one look; what is beyond comes at the next. */
const MAX_EVENTS = 100_000

/** Adds the tags of clicks by people that are certain by now, in every workspace. */
export async function tagClicks({ db, log }: Pick<Services, 'db' | 'log'>, signal: AbortSignal): Promise<void> {
  for (const workspaceId of await workspacesWithLinkTags(db)) {
    if (signal.aborted) return
    const bounds = { settleSeconds: SETTLE_SECONDS, overlapSeconds: OVERLAP_SECONDS, limit: MAX_EVENTS }
    await tagClicked(db, workspaceId, bounds).catch((error) =>
      log.error({ err: error, workspaceId }, 'tags of clicks could not be added'),
    )
  }
}
