import { expect, test } from 'vitest'
import { SingleLine, type ToThread } from './line.ts'

const EMAIL = {
  ...{ workspaceId: '1', senderId: '1', from: 'a@here.example', to: 'b@there.example' },
  data: Buffer.from('x'),
  needsSmtpUtf8: false,
}
const SENT = { kind: 'sent', code: 250, enhanced: null, response: 'OK' } as const

function startThread(line: SingleLine) {
  const told: ToThread[] = []
  const end = line.attach({ postMessage: (message: ToThread) => void told.push(message) })
  return { told, end }
}

test('single email: it waits for a thread, is asked about once, and its result is told', async () => {
  const line = new SingleLine()
  let isWanted = false
  line.onWanted = () => {
    isWanted = true
  }
  let begun = 0
  const sending = line.send(EMAIL, async () => ++begun > 0)
  expect([isWanted, line.isNeeded]).toEqual([true, true])
  const { told } = startThread(line)
  expect(told).toMatchObject([{ single: 1, email: EMAIL }])
  line.hear({ single: 1, asks: true })
  // The connection was lost, so the thread asks once more.
  line.hear({ single: 1, asks: true })
  line.hear({ single: 1, handed: { kind: 'replied', result: SENT } })
  expect(await sending).toEqual({ kind: 'replied', result: SENT })
  expect([begun, told.slice(1)]).toEqual([
    1,
    [
      { single: 1, mayLeave: true },
      { single: 1, mayLeave: true },
    ],
  ])
})

test('single email: what a thread had that ended was certainly not sent before its turn, and is unknown after it', async () => {
  const line = new SingleLine()
  const { end } = startThread(line)
  const before = line.send(EMAIL, async () => true)
  const after = line.send(EMAIL, async () => true)
  const refused = line.send(EMAIL, async () => false)
  const broken = line.send(EMAIL, () => Promise.reject(new Error('the database is away')))
  for (const single of [2, 3, 4]) line.hear({ single, asks: true })
  end()
  expect(await before).toEqual({ kind: 'busy' })
  expect(await after).toMatchObject({ kind: 'replied', result: { kind: 'unconfirmed' } })
  expect(await refused).toEqual({ kind: 'busy' })
  await expect(broken).rejects.toThrow('the database is away')
  line.close()
  expect(await line.send(EMAIL, async () => true)).toEqual({ kind: 'busy' })
})
