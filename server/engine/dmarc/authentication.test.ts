import { expect, test } from 'vitest'
import { startNameServer } from '#server/testing/name-server.ts'
import { authenticate } from './authentication.ts'

const MESSAGE = 'From: ada@shop.example\r\nSubject: mark\r\n\r\nHello\r\n'
const POLICY = { TXT: ['v=DMARC1; p=reject'] }

test('authentication: an address that is not public can pass SPF and not fail it, and what DNS does not say is unknown', async () => {
  const zone: Parameters<typeof startNameServer>[0] = {
    '_dmarc.shop.example': POLICY,
    'bounces.shop.example': { TXT: ['v=spf1 ip4:10.0.0.2 ip4:93.184.215.14 -all'] },
  }
  const names = await startNameServer(zone)
  const judge = async (ip: string, mailFrom = 'a@bounces.shop.example') => {
    const delivery = { ip, helo: 'relay.example', mailFrom }
    const { dkim, spf, dmarc } = await authenticate(Buffer.from(MESSAGE), [names.address], delivery, 'mark')
    return [dkim, spf.state, spf.aligned, dmarc.state, dmarc.policy]
  }
  try {
    expect(await judge('93.184.215.14')).toEqual(['none', 'pass', true, 'pass', 'reject'])
    expect(await judge('10.0.0.2')).toEqual(['none', 'pass', true, 'pass', 'reject'])
    expect(await judge('93.184.215.15')).toEqual(['none', 'fail', true, 'fail', 'reject'])
    expect(await judge('10.0.0.3')).toEqual(['none', 'unknown', true, 'unknown', 'reject'])
    expect(await judge('93.184.215.14', 'a@elsewhere.example')).toEqual(['none', 'none', false, 'fail', 'reject'])
    zone['bounces.shop.example'] = 'refuse'
    expect(await judge('93.184.215.14')).toEqual(['none', 'unknown', true, 'unknown', 'reject'])
    delete zone['_dmarc.shop.example']
    expect(await judge('93.184.215.14')).toEqual(['none', 'unknown', true, 'none', null])
  } finally {
    await names.stop()
  }
})
