import type { z } from 'zod'
import type { Coupon, coupons } from '#contracts/billing/coupons.ts'
import { currency, isPaid, plans } from '#contracts/billing/plans.ts'
import { audit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { ensureProduct, installationKey, type PaidPlan, requirePayments } from '../provider.ts'
import { queueCoupon } from '../queues.ts'
import * as store from './coupons-store.ts'

type NewCoupon = z.output<typeof coupons.create.body>

/** Codes somebody may try in ten minutes: enough for typing errors, too few to guess. */
const TRIES = 30

const present = (row: store.CouponRow, held = 0): Coupon => ({
  id: row.id,
  code: row.code,
  percentOff: row.percentOff,
  amountOff: row.amountOff,
  duration: row.duration as Coupon['duration'],
  months: row.months,
  plans: row.plans,
  maxUses: row.maxUses,
  perUser: row.perWorkspace,
  startsAt: row.startsAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  active: row.active,
  used: row.uses - held,
  held,
  synced: row.providerCodeId !== null,
  createdAt: row.createdAt.toISOString(),
})

export async function listCoupons(db: Db) {
  const rows = await store.listCoupons(db)
  return wholeList(rows.map((row) => present(row, Number(row.held))))
}

/** Makes a coupon and has the provider told of it. Throws Refusal 409 when the code is taken. */
export async function createCoupon({ db, queue }: Services, given: NewCoupon): Promise<Coupon> {
  const { code, percentOff = null, amountOff = null, duration, months = null, plans, maxUses = null, perUser } = given
  if (given.endsAt && Date.parse(given.endsAt) <= Date.now()) throw invalid('endsAt', 'must be in the future')
  return db.transaction().execute(async (db) => {
    const row = await store.insertCoupon(db, {
      ...{ code, percentOff, amountOff, duration, months, maxUses, perWorkspace: perUser },
      plans: [...new Set(plans)],
      startsAt: given.startsAt ? new Date(given.startsAt) : null,
      endsAt: given.endsAt ? new Date(given.endsAt) : null,
    })
    if (!row) throw conflict('code_taken', `The coupon code ${code} already exists. Codes cannot be reused.`)
    await audit(db, { action: 'coupon_created', subject: row.code })
    await queueCoupon({ queue }, db, row.id)
    return present(row)
  })
}

/** Nobody can use it any more; what was paid with it stays. Throws Refusal 404. */
export async function removeCoupon({ db, queue }: Services, id: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const row = await store.couponById(db, id)
    if (!row) throw notFound('Coupon')
    if (!row.active) return
    await store.deactivate(db, id)
    await audit(db, { action: 'coupon_deactivated', subject: row.code })
    await queueCoupon({ queue }, db, id)
  })
}

/** Brings the provider's promotion code up to the coupon's state; done twice it changes nothing. */
export async function syncCoupon(services: Services, id: string): Promise<string | undefined> {
  const payments = requirePayments(services)
  const row = await store.couponById(services.db, id)
  if (!row) return undefined
  if (row.providerCodeId) {
    if (!row.active) await payments.api.promotionCodes.update(row.providerCodeId, { active: false })
    return row.providerCodeId
  }
  if (!row.active) return undefined
  const mark = `coupon:${installationKey(services)}:${row.id}`
  const products: string[] = []
  for (const plan of row.plans) products.push(await ensureProduct(payments, plan as PaidPlan))
  const coupon = await payments.api.coupons.create(
    {
      name: row.code,
      ...(row.percentOff === null
        ? { amount_off: row.amountOff ?? 0, currency: currency.toLowerCase() }
        : { percent_off: row.percentOff }),
      duration: row.duration as 'once' | 'repeating' | 'forever',
      ...(row.months !== null && { duration_in_months: row.months }),
      ...(products.length > 0 && { applies_to: { products } }),
    },
    { idempotencyKey: mark },
  )
  const code = await payments.api.promotionCodes.create(
    {
      promotion: { type: 'coupon', coupon: coupon.id },
      code: row.code,
      ...(row.maxUses !== null && { max_redemptions: row.maxUses }),
      ...(row.endsAt && { expires_at: Math.floor(row.endsAt.getTime() / 1000) }),
    },
    { idempotencyKey: `${mark}:code` },
  )
  await store.noteProvider(services.db, row.id, coupon.id, code.id)
  return code.id
}

/** Why a coupon does not hold for a workspace and a plan, in words; nothing when it does. */
async function objection(db: Db, row: store.CouponRow | undefined, workspaceId: string, plan: string) {
  const now = Date.now()
  if (!row || (row.startsAt && row.startsAt.getTime() > now)) return 'This coupon does not exist. Check the spelling.'
  if (!row.active || (row.endsAt && row.endsAt.getTime() <= now)) return 'This coupon has expired.'
  if (!isPaid(plan)) return 'Coupons do not apply to the free plan.'
  if (row.plans.length > 0 && !row.plans.includes(plan))
    return `This coupon is for another plan: ${row.plans.map((name) => plans[name as PaidPlan]?.title ?? name).join(', ')}.`
  if ((await store.usesBy(db, row.id, workspaceId)) >= row.perWorkspace) return 'You have already used this coupon.'
  if (row.maxUses !== null && row.uses >= row.maxUses) return 'This coupon has reached its maximum number of uses.'
  return undefined
}

/** Finds a coupon and holds one use of it, in the transaction that makes the checkout. Throws Refusal 400 naming the coupon. */
export async function holdFor(db: Db, code: string, workspaceId: string, plan: string): Promise<store.CouponRow> {
  const row = await store.couponByCode(db, code)
  const said = await objection(db, row, workspaceId, plan)
  if (said || !row) throw couponRefusal(said ?? '')
  if (!(await store.holdCoupon(db, row.id))) throw couponRefusal('This coupon has reached its maximum number of uses.')
  // Only now nobody of the same workspace can come in between.
  if ((await store.usesBy(db, row.id, workspaceId)) >= row.perWorkspace)
    throw couponRefusal('You have already used this coupon.')
  return row
}

const couponRefusal = (message: string) =>
  new Refusal(400, 'coupon_invalid', message, { details: [{ field: 'coupon', message }] })

const reduced = (cents: number, row: store.CouponRow) =>
  Math.max(0, Math.round(cents - (row.amountOff ?? (cents * (row.percentOff ?? 0)) / 100)))

const money = (cents: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    cents / 100,
  )

/** "20% off for the first 3 months". */
function words(row: store.CouponRow): string {
  const off = row.percentOff === null ? `${money(row.amountOff ?? 0)} off` : `${row.percentOff}% off`
  if (row.duration === 'forever') return `${off} every payment`
  if (row.duration === 'repeating') return `${off} for the first ${row.months} months`
  return `${off} the first payment`
}

/** Whether a coupon would hold, without holding it. Throws Refusal 429 for who guesses. */
export async function checkCoupon({ db }: Services, caller: Caller, given: { code: string; plan: string }) {
  const tries = await throttle(db, `coupon:${caller.workspaceId}`, TRIES, 600)
  if (!tries.ok) throw tooMany('Too many codes were tried. Wait a few minutes, then try again.', tries.wait)
  const row = await store.couponByCode(db, given.code)
  const said = await objection(db, row, caller.workspaceId, given.plan)
  const nothing = { percentOff: null, amountOff: null, duration: null, months: null, price: null }
  if (said || !row) return { valid: false, message: said ?? '', code: given.code, ...nothing }
  const { percentOff, amountOff, months } = row
  const { price } = plans[given.plan as PaidPlan]
  return {
    ...{ valid: true, message: `${words(row)}.`, code: row.code, percentOff, amountOff, months },
    duration: row.duration as Coupon['duration'],
    price: { month: reduced(price.month, row), year: reduced(price.year, row) },
  }
}
