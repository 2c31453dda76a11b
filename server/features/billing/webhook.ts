import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { requirePayments } from './provider.ts'
import { queueSync } from './queues.ts'

/** What an event is about, as far as it matters: whose, which checkout, and of a refund or dispute which charge. */
interface Subject {
  id?: unknown
  object?: unknown
  customer?: unknown
  charge?: unknown
}

const text = (value: unknown) => (typeof value === 'string' && value.length <= 255 ? value : null)

/**
 * Takes a delivery: checks who sent it, notes it down once, and queues the sync it gives reason for, all in one
 * transaction. What it says is not believed, only that something happened. Throws Refusal 400.
 */
export async function takeEvent(services: Services, body: unknown, signature: unknown): Promise<void> {
  const payments = requirePayments(services)
  const event =
    Buffer.isBuffer(body) && typeof signature === 'string' ? payments.verifyEvent(body, signature) : undefined
  if (!event) throw new Refusal(400, 'bad_signature', 'This is not signed by the payment provider.')
  const subject = event.data.object as Subject
  const customer = subject.object === 'customer' ? text(subject.id) : text(subject.customer)
  // Disputes name no customer, refunds only some: the charge leads to them.
  const charge = customer ? null : text(subject.charge)
  const session = subject.object === 'checkout.session' ? text(subject.id) : null
  await services.db.transaction().execute(async (db) => {
    const fresh = await db
      .insertInto('billingEvents')
      .values({ id: event.id, type: event.type })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (fresh && (customer || charge)) await queueSync(services, db, { customer, charge, session, about: event.type })
  })
}
