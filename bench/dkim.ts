/**
 * What DKIM costs: the same campaign of 20,000 recipients unsigned, signed with RSA-2048, and with Ed25519 beside it. Signing is to take at
 * most 15 % of the rate. `--recipients N`.
 */
import { parseArgs } from 'node:util'
import { report, startSink } from './measure.ts'
import { sendCampaign } from './sending.ts'

const { values } = parseArgs({ options: { recipients: { type: 'string', default: '20000' } } })
const COUNT = Number(values.recipients)
const BAR = 0.85

const sink = await startSink()
try {
  const { rate: unsigned } = await sendCampaign(sink, COUNT)
  report(`campaign of ${COUNT}, unsigned`, `${Math.round(unsigned)} messages/s`)
  for (const [name, keys] of [
    ['RSA-2048', ['rsa']],
    ['Ed25519 and RSA-2048', ['ed25519', 'rsa']],
  ] as const) {
    const { rate } = await sendCampaign(sink, COUNT, { keys })
    report(`  signed with ${name}`, `${Math.round(rate)} messages/s`, { of: rate / unsigned, bar: BAR })
  }
} finally {
  sink.stop()
}
