import { expect, test } from 'vitest'
import { startNameServer } from '#server/testing/name-server.ts'
import { MailDomains } from './mail-domains.ts'

test('mail domains: a default name server that resolves no known name makes domains unknown', async () => {
  const closed = await startNameServer({ 'firm.example': { MX: [{ exchange: 'mx.firm.example', preference: 1 }] } })
  const doubting = new MailDomains([closed.address], { doubts: true })
  expect(await doubting.findMxState('gone.example')).toBe('unknown')
  expect(await doubting.findMxState('firm.example')).toBe('yes')
  expect(await new MailDomains([closed.address]).findMxState('gone.example')).toBe('no')
  await closed.stop()
  const open = await startNameServer({ 'a.root-servers.net': { A: ['198.41.0.4'] } })
  expect(await new MailDomains([open.address], { doubts: true }).findMxState('gone.example')).toBe('no')
  await open.stop()
})
