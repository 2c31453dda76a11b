import type { Outcome } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { Claim, Claimed } from './claims.ts'
import type { Settle, Settled } from './settle.ts'

const FLUSH_AT = 500
const FLUSH_AFTER_MS = 150
const RETRY_MS = 1_000

/** Gathers the outcomes of one claim and writes them in batches, in order, while the sending goes on. */
export function collectOutcomes(
  db: Db,
  campaign: { id: string; workspaceId: string },
  claim: Claim,
  settle: Settle,
  log: Pick<Log, 'error'>,
  stopping: AbortSignal,
  renderSubject?: (message: Claimed) => string,
) {
  const claimed = new Map<string, Claimed>(claim.messages.map((message) => [message.id, message]))
  let waiting: Settled[] = []
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let hard = 0
  let handed = 0
  let sent = 0

  async function write(batch: Settled[]): Promise<void> {
    for (;;) {
      try {
        return await settle(db, campaign, claim.id, batch)
      } catch (error) {
        log.error(
          { err: error, claimId: claim.id },
          'outcomes could not be written; trying again (the journal has them)',
        )
        // While stopping, the journal stays for the next start.
        if (stopping.aborted) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    writing = writing.then(() => write(batch))
    // The caller who awaits done() hears of a failure; until then it is not unhandled.
    writing.catch(() => undefined)
  }

  return {
    add(id: string, outcome: Outcome): void {
      const message = claimed.get(id)
      if (!message) return
      handed++
      if (outcome.kind === 'sent' || outcome.kind === 'unconfirmed') sent++
      if (outcome.kind === 'failed' && outcome.class === 'hard') hard++
      const { attempts, firstAttemptAt } = message
      waiting.push({ id, outcome, attempts, firstAttemptAt, ...(renderSubject && { subject: renderSubject(message) }) })
      if (waiting.length >= FLUSH_AT) flush()
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS)
    },
    /** Resolves when every outcome is in the database. Rejects when it could not be written and the process stops. */
    async done(): Promise<{ handed: number; sent: number; hard: number }> {
      flush()
      await writing
      return { handed, sent, hard }
    },
  }
}
