import { z } from 'zod'
import { Id } from '#contracts/values.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'

type QueueServices = { queue: Pick<Queue, 'enqueue'> }

const ProviderId = z.string().max(255).nullable()
const Wish = z.object({ customer: ProviderId, charge: ProviderId, session: ProviderId, about: z.string() })

/** Something happened at the provider: what we show of this customer, or of whose charge it is, is synced. A provider that is down for hours is waited for. */
export const syncJob = job('billing.sync', Wish, { retries: 20 })
/** A coupon is made or ended at the provider. */
export const couponJob = job('billing.coupon', z.object({ couponId: Id }), { retries: 20 })
/** A workspace is gone: nothing may be charged for it any more. */
export const endJob = job('billing.end', z.object({ subscriptionId: z.string() }), { retries: 20 })

export const queueSync = ({ queue }: QueueServices, db: Db, wish: z.infer<typeof Wish>) =>
  queue.enqueue(syncJob, wish, {
    db,
    key: `${wish.session ?? wish.customer ?? wish.charge} ${wish.about.endsWith('trial_will_end')}`,
  })

export const queueCoupon = ({ queue }: QueueServices, db: Db, couponId: string) =>
  queue.enqueue(couponJob, { couponId }, { db })

export const queueEnd = ({ queue }: QueueServices, db: Db, subscriptionId: string) =>
  queue.enqueue(endJob, { subscriptionId }, { db, key: subscriptionId })
