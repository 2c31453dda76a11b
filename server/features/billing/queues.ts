import { z } from 'zod'
import { Id } from '#contracts/values.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'

type Context = { queue: Pick<Queue, 'enqueue'> }

/** Something happened at the provider: what we show of this customer is read anew. A provider that is down for hours is waited for. */
export const readJob = job(
  'billing.read',
  z.object({ customer: z.string().max(255), session: z.string().max(255).nullable(), about: z.string() }),
  { retries: 20 },
)
/** A coupon is made or ended at the provider. */
export const couponJob = job('billing.coupon', z.object({ couponId: Id }), { retries: 20 })
/** A workspace is gone: nothing may be charged for it any more. */
export const endJob = job('billing.end', z.object({ subscriptionId: z.string() }), { retries: 20 })
export const lookJob = job('billing.look', z.object({}))

export const queueRead = ({ queue }: Context, db: Db, customer: string, session: string | null, about: string) =>
  queue.enqueue(
    readJob,
    { customer, session, about },
    { db, key: `${session ?? customer} ${about.endsWith('trial_will_end')}` },
  )

export const queueCoupon = ({ queue }: Context, db: Db, couponId: string) =>
  queue.enqueue(couponJob, { couponId }, { db })

export const queueEnd = ({ queue }: Context, db: Db, subscriptionId: string) =>
  queue.enqueue(endJob, { subscriptionId }, { db, key: subscriptionId })
