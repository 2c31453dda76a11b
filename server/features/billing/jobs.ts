import { sql } from 'kysely'
import type { z } from 'zod'
import type { Services } from '#server/services.ts'
import { settle } from './checkout.ts'
import { checkoutBySession, endCheckout, overdueCheckouts } from './checkouts-store.ts'
import { syncCoupon } from './coupons/coupons.ts'
import { handleEmails } from './emails.ts'
import { isMissing } from './provider.ts'
import { couponJob, endJob, syncJob } from './queues.ts'
import { customerOfCharge } from './reversals/reversals.ts'
import * as store from './store.ts'
import { syncWorkspace, tellTrialEnds } from './sync.ts'

const BATCH_SIZE = 500
const EVENT_RETENTION_DAYS = 60

/** Syncs what events gave reason for, tells the provider of coupons, sends emails, and looks every hour after what no event told of. */
export async function handleJobs(services: Services): Promise<void> {
  const { db, queue } = services
  await handleEmails(services)
  await queue.handle(syncJob, (wish) => syncCustomer(services, wish))
  await queue.handle(couponJob, async ({ couponId }) => {
    if (services.payments) await syncCoupon(services, couponId)
  })
  await queue.handle(endJob, ({ subscriptionId }) => end(services, subscriptionId))
  await queue.every({
    name: 'billing.look',
    per: 'database',
    intervalMs: services.intervals.billingSyncMs,
    async run(signal) {
      await endGrants(services)
      await lookAfter(services, signal)
      await sql`delete from billing_events where received_at < now() - make_interval(days => ${EVENT_RETENTION_DAYS})`.execute(
        db,
      )
    },
  })
}

async function syncCustomer(services: Services, wish: z.infer<typeof syncJob.payload>): Promise<void> {
  const { db, payments } = services
  if (!payments) return
  const { charge, session, about } = wish
  const customer = wish.customer ?? (charge ? await customerOfCharge(payments.api, charge) : undefined)
  const workspaceId = customer && (await store.findCustomerWorkspace(db, customer))
  if (!workspaceId) return
  const checkout = session ? await checkoutBySession(db, workspaceId, session) : undefined
  if (checkout && checkout.state !== 'paid') await settle(services, checkout)
  else await syncWorkspace(services, workspaceId)
  if (about === 'customer.subscription.trial_will_end') await tellTrialEnds(services, db, workspaceId)
}

async function end({ payments }: Services, subscriptionId: string): Promise<void> {
  await payments?.api.subscriptions.cancel(subscriptionId).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

async function endGrants({ db }: Services): Promise<void> {
  for (const workspaceId of await store.grantsOver(db))
    await db.transaction().execute(async (db) => {
      await store.removeOverGrant(db, workspaceId)
      await store.applyPlan(db, workspaceId, 'end of a plan set by hand')
    })
}

/** Compares with the provider what was not compared for a day, and what is under way: a lost event is made good here. */
export async function lookAfter(services: Services, signal: AbortSignal): Promise<void> {
  const { db, log } = services
  for (const { id, workspaceId, sessionId } of await overdueCheckouts(db)) {
    const row = sessionId ? await checkoutBySession(db, workspaceId, sessionId) : undefined
    if (!row) await db.transaction().execute((db) => endCheckout(db, { workspaceId, id }, 'failed'))
    else if (services.payments)
      await settle(services, row).catch((error) => log.warn({ err: error }, 'a checkout could not be asked for'))
  }
  if (!services.payments) return
  for (const workspaceId of await store.findDueForSync(db, BATCH_SIZE)) {
    if (signal.aborted) return
    await syncWorkspace(services, workspaceId).catch((error) =>
      log.warn({ err: error, workspaceId }, 'a subscription could not be compared with the provider'),
    )
  }
}
