import { rmSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { recipientAddress, sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

// Two whole slices of the sending thread and a part of one.
const COUNT = isLong ? 5_000 : 1_100

test(`campaign: each of ${COUNT} recipients gets exactly one message, with their own content`, async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('exact')
  const port = String(await freePort())
  const server = startServer({
    DATA_DIR: dataDir,
    PORT: port,
    SMTP_URL: sink.url,
    PUBLIC_URL: 'https://mail.example.com',
  })
  try {
    await server.ready
    const api = await signIn(server.url)
    const id = await sendTo(api, await uploadPeople(api, COUNT))
    const { counts } = await untilSent(api, id, 120)
    expect(counts).toMatchObject({ recipients: COUNT, sent: COUNT, queued: 0, unconfirmed: 0 })
    expect(sink.received.map((mail) => mail.to[0]).sort()).toEqual(
      Array.from({ length: COUNT }, (_, i) => recipientAddress(i + 1)).sort(),
    )

    const messageIds = new Set<string>()
    const tokens = new Set<string>()
    for (const { to, raw } of sink.received) {
      const mail = await PostalMime.parse(raw)
      const n = /^person(\d+)@/.exec(to[0] ?? '')?.[1]
      const header = (name: string) => mail.headers.filter((one) => one.key === name).map((one) => one.value)
      expect(mail.to).toEqual([{ address: recipientAddress(Number(n)), name: `Person ${n}` }])
      expect(mail.subject).toBe(`News for Person ${n}`)
      expect(mail.html).toContain(`Hello Person ${n}`)
      expect(mail.html).toContain(`News for Firm ${n}`)
      expect(mail.text).toContain(`Firm ${n}`)
      const [unsubscribe = ''] = header('list-unsubscribe')
      expect(unsubscribe).toMatch(/^<https:\/\/mail\.example\.com\/u\/[\w-]+>/)
      expect(header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
      expect(mail.html?.match(/https:\/\/mail\.example\.com\/t\/c\//g)).toHaveLength(2)
      expect(mail.html?.match(/https:\/\/mail\.example\.com\/t\/o\//g)).toHaveLength(1)
      messageIds.add(mail.messageId ?? '')
      tokens.add(unsubscribe)
      const wire = raw.toString('latin1')
      expect(/(^|[^\r])\n|\r(?!\n)/.test(wire)).toBe(false)
      expect(wire.split('\r\n').every((line) => line.length <= 998)).toBe(true)
    }
    expect([messageIds.size, tokens.size]).toEqual([COUNT, COUNT])
    expect(await server.stop()).toBe(0)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
