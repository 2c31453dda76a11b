import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { type MailSink, startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'

let sink: MailSink
let t: TestApp
let isBlocking = true
let ada: Person
let count = 0

beforeAll(async () => {
  sink = await startMailSink((stage, address) => {
    if (stage === 'rcpt' && isBlocking && address.endsWith('@blocked.example'))
      return `550 5.7.1 <${address}> Your IP is blocked by Spamhaus`
    return stage === 'data' && address.endsWith('@picky.example') ? '554 5.6.0 Malformed message' : undefined
  })
  t = await testApp({ sink })
  ada = await t.person()
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await sink.stop()
})

/** Sends to `size` people, every second of them at `domain`, so slowly that there are several slices. */
async function sendSlowly(size: number, domain: string) {
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const senderId = sender?.id ?? ''
  await ada.api(senders.update, { params: { id: senderId }, body: { limits: { perSecond: 30, connections: 2 } } })
  const tag = ++count
  const list = await listWith(t.services, ada, size, (n) => `p${tag}-${n}@${n % 2 === 0 ? domain : 'open.example'}`)
  const { id } = await draftTo(ada, list)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  return { id, senderId }
}

test('receiver: one that refuses the sender is left alone for a while, the others are sent to, and a person may try again', async () => {
  const { id, senderId } = await sendSlowly(120, 'blocked.example')
  const show = () => ada.api(campaigns.get, { params: { id } })
  const waiting = await until(
    async () => {
      const shown = await show()
      return shown.counts.sent === 60 && shown.stateText !== '' && shown
    },
    'the other receiver',
    30,
  )
  expect(waiting).toMatchObject({ state: 'sending' })
  expect(waiting.stateText).toMatch(/blocked\.example refuses emails from .* blocked by Spamhaus/)
  expect(waiting.stateText).not.toMatch(/p\d+-\d+@/)
  expect(waiting.counts.queued).toBeGreaterThan(0)
  expect(waiting.counts.failed).toBeLessThan(60)
  const { pausedReceivers } = await ada.api(senders.get, { params: { id: senderId } })
  expect(pausedReceivers).toEqual([expect.objectContaining({ receiver: 'blocked.example' })])
  const { receivers } = await ada.api(campaigns.stats, { params: { id } })
  expect(receivers.map(({ receiver, accepted, blocked }) => [receiver, accepted, blocked])).toEqual([
    ['open.example', 60, 0],
    ['blocked.example', 0, waiting.counts.failed],
  ])
  isBlocking = false
  await ada.api(campaigns.pause, { params: { id } })
  await ada.api(campaigns.resume, { params: { id } })
  const { counts, stateText } = await untilState(ada, id, ['sent'], 30)
  expect([counts.sent + counts.failed, counts.failed, stateText]).toEqual([120, waiting.counts.failed, ''])
})

test('content: a campaign whose content mail servers refuse is paused and says what they said', async () => {
  const { id } = await sendSlowly(120, 'picky.example')
  const paused = await untilState(ada, id, ['paused'], 30)
  expect(paused.stateText).toMatch(/refuse the content of this email: 554 5\.6\.0 Malformed message/)
  expect(paused.counts.failed).toBeGreaterThanOrEqual(3)
  expect(paused.counts.queued).toBeGreaterThan(0)
})
