import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A key and its certificate for tests alone (2020 to 2120). */
const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDPpXJSxmlM6GfZ
Rgd5xBu3WN82kIuHEgB0s369++F9TZJfbjJNwSj/hg78T7swkmbTX6CeTK6uyuWD
z5zYvdqCEZFMywzNVPDF5i8+rk2ujfn0YOnD58QJKWYatUrdrsI6I8ZbNubr3V/N
9xCT8oqYbWnOYKAWglPMjEmoteCb8a+KUZp648CyRTzBf/MdHlzPG08j1NQ3nsXC
gMb/MmpoWEh74rJKHPBa/IPZZ2WciIt6IOadsSJ9gyWx43FW8GveTzz7DMC61C6W
WJWOb6/7suR9f1PuG7U8H9odMKk3up/PwhZrZBhumjYJ4smgkVruJtB0tCg5HgYB
hVzI6WcbAgMBAAECggEACe6nnN7LI3FsCXAlSpiSaTi7cWHrBD3C/wU+8/N1m7rE
KTbQk5HzvHuhgXjtQt63dtDe+MBBcsokJFcf8RyG55KgWQRol/T1Xche5ig/cWQI
Wr1WZGQhQMoijV1MN9v0hAQ5QelKyAMOYoAfSOEtg/dn1WyFyJqlseXb+B5X06p4
k0Fij8luvH+iq/N5oG89oMSX+18/2bTQLKpgV12io7UXykrS1+D55JQaVpsTyXxb
4h5WgtxBKRmcIcb194fRwa3LyCzzdPQ2PEbM1Svhe8Gdwk5Dtvyf74KqNI+3U+8M
FJ94oJJ3chqjNrb08UjJpmal+mTTeyWenQxWYr/nsQKBgQDwWg+sdvg5DBisityH
Evoznq5z7tUJaUPUghYi/+ASFXyW/LCL6HvG3rClTeUu9uGZJXtjdADrFIPK1cMf
sDeNgHl7yYpJ01n6s9Yshl8MukSNrAmTbDpxwKWvvztxFAVEzQC6qLARF3s6ltSD
do+YSj0gsFLGebxJkPNytqTZbwKBgQDdKkhx9Cz7SnOUqDRcZnLY3SSBk1WzZ6IZ
A/kUB1OeWNM9x8Llc0BDEP2HG1FH8k5ovKsUVCgIMh8rJyKYAWLzeg/Ya8H/D+EI
48OePvuc6lpScogsdnwOQlQqftvIKGoParvVeAnW8t0WDzdDwoMByKMhdMYqUPr1
BvuJIRL/FQKBgDiUuwPareygEF7uAaQ6r3PfcyoPm08v3Kv2Q8fRfKpFLKNOsTD+
dcUHP4Zqo/0+WTV4QWfUMzMkDTJ+yAR5s1o4WGDvvQJMIu6Fz3GD4HRalTDUwxxV
ahzFQTvyRMgF8oeTywwmEey0HmpYf4bDLmKnd2Runc3jcpPO78Cdhok5AoGBAKJl
O9DA1I6oOno7kEcQyt/GcdnbT6BuRi5MJoa4YoPxARtqJQfKOrOENEUSn/pOR5jM
gGpq6QIrm4taLyKiUgAp7pyhc09QX5Lhe3AlGyg7RJspkifj0G+/8IFLqSIt2sL7
QnUasU7uAb0C6zeMChozMuWMEz5bPArTV7t3V7WJAoGBAIXXyGoUYGTPoss6iCF1
5XHYm3culzm0YIX4i7htx/p1DITLqHkufe1DlqjPfiujvOEozuT5vt3C2CVCENu/
ZFvI0BGXbeiuwKobVI6Mfz4O1Tss3QrtUjhnV+mbGOzvo2XUHusChL9QPl0PgYUG
3/1i7NJFygKDGMsZYK3nZtDr
-----END PRIVATE KEY-----
`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIICrjCCAZYCAQEwDQYJKoZIhvcNAQELBQAwHDEaMBgGA1UEAwwRc25zLmFtYXpv
bmF3cy5jb20wIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBwxGjAY
BgNVBAMMEXNucy5hbWF6b25hd3MuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A
MIIBCgKCAQEAz6VyUsZpTOhn2UYHecQbt1jfNpCLhxIAdLN+vfvhfU2SX24yTcEo
/4YO/E+7MJJm01+gnkyursrlg8+c2L3aghGRTMsMzVTwxeYvPq5Nro359GDpw+fE
CSlmGrVK3a7COiPGWzbm691fzfcQk/KKmG1pzmCgFoJTzIxJqLXgm/GvilGaeuPA
skU8wX/zHR5czxtPI9TUN57FwoDG/zJqaFhIe+KyShzwWvyD2WdlnIiLeiDmnbEi
fYMlseNxVvBr3k88+wzAutQulliVjm+v+7LkfX9T7hu1PB/aHTCpN7qfz8IWa2QY
bpo2CeLJoJFa7ibQdLQoOR4GAYVcyOlnGwIDAQABMA0GCSqGSIb3DQEBCwUAA4IB
AQCLwsr+RMNVG5KOZXQW0wCzUOkwFFvjclFGxvajrDnScZJhOZxphBFeQlxooWpy
idun5Ou8A77gS2HuDny+HtZz8AibMyH3OamheeQQNaMYHwcT1bydp1mPyr6w12Tb
+D6UIZSCz/9zPrxnoM8cX2uKu1u0ar7M7ESlL/lbGf3/ldcBvPnj/YMkLxEGwrM3
WjBXB5jx6WsN8rPkif+aoYVPb3ZhjnbTL6qkNH5jV1TpTMfci5+cysSvBnM0PDUQ
HzjQ/+ppPyKdLY61uNxkkBR468FtMSnHD8fSy+WwPWBlfJJ+hGG3Y8amEiw2aJkX
2P82G1LJGmU0/IVpgHEDohfY
-----END CERTIFICATE-----
`
const CERTIFICATE_PATH = '/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem'

type Fields = Record<string, string>

/** An emulator of Amazon SNS on 127.0.0.1: serves its certificate, notes confirmations, and signs messages as SNS does. */
export async function startSns() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === CERTIFICATE_PATH) response.end(CERTIFICATE)
    else response.writeHead(request.url?.startsWith('/?Action=ConfirmSubscription') ? 200 : 404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = createPrivateKey(KEY)

  /** A message of a topic as it is posted, signed by version 1 or 2; `change` is made after signing. */
  function message(
    topic: string,
    fields: Fields,
    { version = '1', change = {} as Fields, by = key as KeyObject } = {},
  ) {
    const Type = fields.Type ?? 'Notification'
    const whole: Fields = {
      ...{ Type, MessageId: crypto.randomUUID(), TopicArn: topic, Timestamp: new Date().toISOString() },
      ...fields,
    }
    const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
    const text = names
      .filter((name) => whole[name] !== undefined)
      .map((name) => `${name}\n${whole[name]}\n`)
      .join('')
    const Signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), by).toString('base64')
    return { ...whole, SignatureVersion: version, Signature, SigningCertURL: url + CERTIFICATE_PATH, ...change }
  }

  /** The message with which a subscription begins. */
  const confirmation = (topic: string, SubscribeURL = `${url}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=t`) =>
    message(topic, { Type: 'SubscriptionConfirmation', Message: 'Confirm', Token: 't', SubscribeURL })

  return {
    url,
    asked,
    message,
    confirmation,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
