import { afterAll, beforeAll, expect, test } from 'vitest'
import { billing } from '#contracts/billing/billing.ts'
import { coupons } from '#contracts/billing/coupons.ts'
import { ApiError } from '#contracts/client.ts'
import type { Input } from '#contracts/endpoint.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { stripeSandbox } from '#server/testing/stripe.ts'
import { until, untilPasses } from '#server/testing/until.ts'

let t: TestApp
let stripe: ReturnType<typeof stripeSandbox>
let boss: Person
beforeAll(async () => {
  t = await testApp()
  stripe = stripeSandbox(t)
  boss = await t.person({ role: 'admin' })
})
afterAll(() => t[Symbol.asyncDispose]())

const make = (body: Input<typeof coupons.create>['body']) => boss.api(coupons.create, { body })
const free = () => t.person({ plan: 'free' })
const check = (person: Person, code: string, plan: 'free' | 'starter' | 'pro' = 'pro') =>
  person.api(coupons.check, { body: { code, plan } })
const checkout = (person: Person, coupon: string, plan: 'starter' | 'pro' = 'pro') =>
  person.api(billing.checkout, { body: { plan, interval: 'month', coupon } })
const found = async (code: string) => (await boss.api(coupons.list)).items.find((one) => one.code === code)
const catchRefusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error(`it was not refused: ${error}`)
  return error
}

test('coupon: a coupon is synced to the provider, matches in any case and lowers the price', async () => {
  const made = await make({ code: 'Spring-20', percentOff: 20, duration: 'repeating', months: 3 })
  expect(made).toMatchObject({ code: 'Spring-20', used: 0, active: true, perUser: 1 })
  await until(async () => (await found('Spring-20'))?.synced, 'the coupon at Stripe')
  const person = await free()
  expect(await check(person, ' spring-20 ')).toEqual({
    valid: true,
    message: '20% off for the first 3 months.',
    code: 'Spring-20',
    percentOff: 20,
    amountOff: null,
    duration: 'repeating',
    months: 3,
    price: { month: 11_920, year: 119_200 },
  })
  const { url } = await checkout(person, 'SPRING-20')
  expect(await (await fetch(url)).text()).toContain('then $119.20 a month')
  expect(await found('Spring-20')).toMatchObject({ used: 0, held: 1 })
  await stripe.pay(url)
  await untilPasses(async () => expect((await found('Spring-20'))?.used).toBe(1))
  await stripe.forward(15)
  await untilPasses(async () => expect((await person.api(billing.invoices)).items[0]?.total).toBe(11_920))
})

test('coupon: an invalid coupon is refused by field, and a code cannot be used for two coupons', async () => {
  const bad = async (body: object) => (await catchRefusal(make(body as never))).details[0]?.field
  expect(await bad({ code: 'x y', percentOff: 10 })).toBe('code')
  expect(await bad({ code: 'NOTHING' })).toBe('percentOff')
  expect(await bad({ code: 'BOTH', percentOff: 10, amountOff: 100 })).toBe('percentOff')
  expect(await bad({ code: 'MUCH', percentOff: 101 })).toBe('percentOff')
  expect(await bad({ code: 'MONTHS', percentOff: 10, duration: 'repeating' })).toBe('months')
  expect(await bad({ code: 'FREE', percentOff: 10, plans: ['free'] })).toBe('plans.0')
  expect(await bad({ code: 'PAST', percentOff: 10, endsAt: '2020-01-01T00:00:00Z' })).toBe('endsAt')
  await make({ code: 'TAKEN', percentOff: 10 })
  expect((await catchRefusal(make({ code: 'taken', amountOff: 500 }))).code).toBe('code_taken')
})

test('coupon: an unusable coupon is refused with its reason and reserves nothing', async () => {
  const person = await free()
  const day = 86_400_000
  await make({ code: 'SOON', percentOff: 10, startsAt: new Date(Date.now() + day).toISOString() })
  await make({ code: 'STARTERS', percentOff: 10, plans: ['starter'] })
  const { id } = await make({ code: 'ENDED', percentOff: 10 })
  await boss.api(coupons.remove, { params: { id } })
  await make({ code: 'OVER', percentOff: 10, endsAt: new Date(Date.now() + day).toISOString() })
  await t.services.db
    .updateTable('coupons')
    .set({ endsAt: new Date(Date.now() - day) })
    .where('code', '=', 'OVER')
    .execute()
  const expected = {
    NONE: 'This coupon does not exist. Check the spelling.',
    SOON: 'This coupon does not exist. Check the spelling.',
    STARTERS: 'This coupon is for another plan: Starter.',
    ENDED: 'This coupon has expired.',
    OVER: 'This coupon has expired.',
  }
  for (const [code, message] of Object.entries(expected)) {
    expect(await check(person, code), code).toMatchObject({ valid: false, message, price: null })
    expect(await catchRefusal(checkout(person, code)), code).toMatchObject({
      status: 400,
      code: 'coupon_invalid',
      message,
    })
  }
  expect((await check(person, 'STARTERS', 'starter')).valid).toBe(true)
  expect((await check(person, 'STARTERS', 'free')).message).toContain('do not apply to the free plan')
  expect((await boss.api(coupons.list)).items.every((one) => one.held === 0)).toBe(true)
})

test('coupon: concurrent checkouts use it at most maxUses times', async () => {
  await make({ code: 'THREE', percentOff: 50, maxUses: 3 })
  const people = await Promise.all(Array.from({ length: 8 }, free))
  const results = await Promise.allSettled(people.map((person) => checkout(person, 'THREE')))
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.url] : []))
  expect(opened).toHaveLength(3)
  for (const result of results)
    if (result.status === 'rejected')
      expect((result.reason as ApiError).message).toBe('This coupon has reached its maximum number of uses.')
  for (const url of opened) expect((await stripe.pay(url)).status).toBe(303)
  await untilPasses(async () => expect((await found('THREE'))?.used).toBe(3))
  expect((await check(await free(), 'THREE')).message).toBe('This coupon has reached its maximum number of uses.')
})

test('coupon: a user uses it once, even in two windows, and an abandoned checkout releases it', async () => {
  await make({ code: 'ONCE', amountOff: 1_000, maxUses: 1 })
  const person = await free()
  const both = await Promise.allSettled([checkout(person, 'ONCE'), checkout(person, 'ONCE', 'starter')])
  expect(both.filter((answer) => answer.status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
  expect((await found('ONCE'))?.held).toBe(1)
  await person.api(billing.checkout, { body: { plan: 'starter', interval: 'year' } })
  expect(await found('ONCE')).toMatchObject({ held: 0, used: 0 })
  const other = await free()
  const { url } = await checkout(other, 'ONCE')
  expect(await (await fetch(url)).text()).toContain('$139.00')
})

test('coupon: checks of codes are limited to 30', async () => {
  const person = await free()
  const results = await Promise.allSettled(Array.from({ length: 32 }, (_, i) => check(person, `GUESS${i}`)))
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as ApiError).status] : [],
  )
  expect(refused).toEqual([429, 429])
})
