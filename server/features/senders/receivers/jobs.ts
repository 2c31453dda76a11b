import { sql } from 'kysely'
import pLimit from 'p-limit'
import { z } from 'zod'
import { Id } from '#contracts/values.ts'
import { findOperatorByServer, OPERATORS } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { Lookups } from '../domains/lookups.ts'
import { forgetDomains, type LookedUp, listUnknownDomains, writeDomains } from './store.ts'

/** Domains of one campaign; the others are told apart by their name. */
const MAX_DOMAINS = 20_000
/** All of them together; name servers of others' choice are asked, which may be silent on purpose. */
const DEADLINE_MS = 300_000
const MAX_CONCURRENT = 16
/** Domains that are written at once, so that the campaign knows the first ones soon. */
const BATCH_SIZE = 200
const JOBS_AT_ONCE = 2

const lookupJob = job('senders.look-up-receivers', z.object({ workspaceId: Id, campaignId: Id }), {
  retries: 1,
  expireSeconds: DEADLINE_MS / 1_000 + 60,
})

/** Queues looking up who receives the mail of a campaign's recipients, in the transaction `db` that writes them down. */
export function queueLookups(
  { queue }: { queue: Pick<Queue, 'enqueue'> },
  db: Db,
  campaign: { workspaceId: string; campaignId: string },
): Promise<void> {
  return queue.enqueue(lookupJob, campaign, { db, key: campaign.campaignId })
}

/** Looks up the domains of campaigns that were started, while they are sent. */
export async function handleLookups({ queue, db, nameServers }: Services): Promise<void> {
  const isNamed = sql`domain ~ ${Object.values(OPERATORS).join('|')}`
  await queue.handle(
    lookupJob,
    async (campaign, signal) => {
      const domains = await listUnknownDomains(db, campaign, isNamed, MAX_DOMAINS)
      const lookups = new Lookups(nameServers.servers, { maxQueries: MAX_DOMAINS, deadlineMs: DEADLINE_MS })
      const inTurn = pLimit(MAX_CONCURRENT)
      for (let from = 0; from < domains.length && !signal.aborted && !lookups.isOver; from += BATCH_SIZE) {
        const batch = domains.slice(from, from + BATCH_SIZE)
        await writeDomains(db, await Promise.all(batch.map((domain) => inTurn(() => lookUp(lookups, domain)))))
      }
      await forgetDomains(db)
    },
    JOBS_AT_ONCE,
  )
}

/** The operator of a domain's preferred mail server. */
async function lookUp(lookups: Lookups, domain: string): Promise<LookedUp> {
  const found = await lookups.mx(domain)
  const [exchange] = found.kind === 'found' ? found.values : []
  const operator = exchange === undefined ? null : (findOperatorByServer(exchange) ?? null)
  return { domain, operator, isKnown: found.kind === 'found' || found.kind === 'none' }
}
