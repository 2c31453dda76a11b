import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { whilePaused } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, templateNamed } from '#server/testing/whatsapp-campaign.ts'
import { endRest, fatedNumber, showCampaign } from '#server/testing/whatsapp-fates.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
})

const ready = (traits?: Parameters<typeof fatedNumber>[2]) => fatedNumber(t, world, traits)

/** What stops more than one message: the state of the number after it, and what the campaign says. */
const STOPS: [code: number, number: string, text: RegExp][] = [
  [0, 'reconnect', /token/],
  [190, 'reconnect', /token/],
  ...[3, 10, 200, 131005].map((code): (typeof STOPS)[number] => [code, 'restricted', /access token may not do this/]),
  ...[368, 131031].map((code): (typeof STOPS)[number] => [code, 'restricted', /restricted this business account/]),
  ...[131037, 131045, 133010].map((code): (typeof STOPS)[number] => [code, 'restricted', /number is not ready/]),
  [131042, 'restricted', /payment method/],
  [131048, 'restricted', /blocked or reported/],
  [131064, 'restricted', /wrong category/],
  ...[131063, 134100, 134102, 131055].map((code): (typeof STOPS)[number] => [code, 'restricted', /Paused: /]),
  [132000, 'working', /different variables/],
  [132001, 'working', /does not exist in this language/],
  [132015, 'working', /paused the template/],
  [132016, 'working', /disabled the template/],
  [132068, 'working', /is blocked/],
]

test('error codes: each code of a number or template pauses the campaign and leaves messages queued', async () => {
  for (const [code, state, text] of STOPS) {
    const { person, account, send, show: number } = await ready()
    const [stopped = '', other = ''] = phones(2)
    const id = await send([{ phone: stopped, fate: { code, when: 'answer', times: 1 } }])
    const paused = await untilPaused(person, id, `the pause for ${code}`)
    expect([code, paused.stateText], String(code)).toEqual([code, expect.stringMatching(text)])
    // Nothing is lost: the message waits as if it had never been tried.
    expect(paused.counts, String(code)).toMatchObject({ queued: 1, failed: 0, unconfirmed: 0 })
    expect([code, (await number()).state]).toEqual([code, state])
    if (code === 132015 || code === 132016)
      expect((await templateNamed(person, account.id, 'order_update')).status).toBe(
        code === 132015 ? 'PAUSED' : 'DISABLED',
      )
    if (code === 131048 || code === 131064) {
      // Hours, even when somebody resumes it at once.
      await person.api(campaigns.resume, { params: { id } })
      const resting = await until(async () => {
        const campaign = await showCampaign(person, id)
        return campaign.stateText.includes('is paused until') && campaign
      }, 'the rest')
      expect(resting).toMatchObject({ state: 'sending', counts: { queued: 1, sent: 0 } })
    }
    if (state === 'working' || code === 0) continue
    await endRest(t, account.id)
    await send([{ phone: other, fate: { code, when: 'webhook', times: 1 } }])
    await until(async () => (await number()).state === state, `the number's state after ${code} by webhook`)
  }
}, 600_000)

test('error codes: a stopped number pauses all its campaigns, and a rate limit makes it wait', async () => {
  const { person, number, account, send } = await ready({ perSecond: 3 })
  const long = await send(phones(60).map((phone) => ({ phone })))
  const [last = ''] = phones(1, 500)
  const short = await send([{ phone: last, fate: { code: 131048, when: 'answer', times: 1 } }])
  for (const id of [long, short])
    await until(async () => (await showCampaign(person, id)).state === 'paused', 'both pauses')
  expect((await showCampaign(person, long)).stateText).toContain('blocked or reported')
  await world.act(number.phoneNumberId, last.slice(1), { act: 'fate', code: 80007, when: 'answer', times: 1 })
  await endRest(t, account.id)
  await person.api(campaigns.resume, { params: { id: short } })
  const waiting = await until(async () => {
    const campaign = await showCampaign(person, short)
    // Within a second of the first campaign's messages the number is too fast once more.
    if (campaign.stateText.includes('sent faster')) await endRest(t, account.id)
    return campaign.stateText.includes('limit of API calls') && campaign
  }, 'the wait')
  expect(waiting).toMatchObject({ state: 'sending', counts: { queued: 1, failed: 0 } })
  expect(waiting.stateText).toMatch(/^Waiting/)
  await whilePaused(person, short, () => endRest(t, account.id))
  await until(async () => (await showCampaign(person, short)).state === 'sent', 'the end')
}, 600_000)

test('error codes: a rejected or disabled template pauses its campaign, and its messages stay queued', async () => {
  for (const status of ['REJECTED', 'DISABLED'] as const) {
    const { person, number, send } = await ready({ perSecond: 2 })
    const id = await send(phones(30).map((phone) => ({ phone })))
    await until(async () => (await showCampaign(person, id)).counts.sent > 0, 'the first')
    await world.admin.api(sandboxWhatsApp.review, {
      params: { name: 'order_update' },
      body: { status, businessAccountId: number.businessAccountId, reason: 'PROMOTIONAL' },
    })
    const { stateText, counts } = await untilPaused(person, id, `the pause for ${status}`)
    expect(stateText).toMatch(status === 'REJECTED' ? /rejected the template/ : /disabled the template/)
    expect(counts).toMatchObject({ failed: 0, unconfirmed: 0, suppressed: 0 })
    expect(counts.sent + counts.queued).toBe(30)
    expect(counts.queued).toBeGreaterThan(0)
    await expect(
      person.api(campaigns.resume, { params: { id } }).then(() => untilPaused(person, id, 'the pause again')),
    ).resolves.toMatchObject({ stateText: expect.stringContaining('template') })
  }
}, 600_000)

/** The campaign once it is paused and what was under way has come to its end. */
async function untilPaused(person: Person, id: string, what: string) {
  await until(async () => (await showCampaign(person, id)).state === 'paused', what)
  const claims = () => t.services.db.selectFrom('claims').where('campaignId', '=', id).select('id').execute()
  await until(async () => (await claims()).length === 0, 'the end of what was under way')
  return showCampaign(person, id)
}
