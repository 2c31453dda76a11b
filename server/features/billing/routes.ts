import type { FastifyInstance } from 'fastify'
import { billing } from '#contracts/billing/billing.ts'
import { coupons } from '#contracts/billing/coupons.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import * as checkout from './checkout.ts'
import * as rules from './coupons/coupons.ts'
import { listPlans } from './plans.ts'
import * as subscription from './subscription.ts'
import { takeEvent } from './webhook.ts'

export function mountBilling(app: FastifyInstance, services: Services): void {
  const { db } = services
  mount(app, billing.plans, () => listPlans(subscription.paymentsMode(services)))
  mount(app, billing.status, ({ caller }) => subscription.readSubscriptionStatus(services, caller))
  mount(app, billing.checkout, ({ caller, body }) => checkout.openCheckout(services, caller, body))
  mount(app, billing.paymentStatus, ({ caller, query }) => checkout.paymentStatus(services, caller, query.session_id))
  mount(app, billing.portal, ({ caller }) => subscription.openPortal(services, caller))
  mount(app, billing.preview, ({ caller, body }) => subscription.previewChange(services, caller, body))
  mount(app, billing.change, ({ caller, body }) => subscription.changePlan(services, caller, body))
  mount(app, billing.cancel, ({ caller }) => subscription.setEnding(services, caller, true))
  mount(app, billing.resume, ({ caller }) => subscription.setEnding(services, caller, false))
  mount(app, billing.invoices, ({ caller }) => subscription.listInvoices(services, caller))
  mount(app, billing.reversals, ({ caller }) => subscription.listReversals(services, caller))

  mount(app, coupons.list, () => rules.listCoupons(db))
  mount(app, coupons.create, ({ body }) => rules.createCoupon(services, body))
  mount(app, coupons.remove, async ({ params }) => {
    await rules.removeCoupon(services, params.id)
    return {}
  })
  mount(app, coupons.check, ({ caller, body }) => rules.checkCoupon(services, caller, body))

  // The signature is of the bytes as they came: here nothing is parsed.
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    mount(raw, billing.webhook, async ({ request }) => {
      await takeEvent(services, request.body, request.headers['stripe-signature'])
      return { received: true }
    })
  })
}
