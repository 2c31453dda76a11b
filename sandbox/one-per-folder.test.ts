import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { startGraph } from './graph/graph-sandbox.ts'
import { startMailSandbox } from './mail/mail-sandbox.ts'
import { startIssuer } from './oidc/oidc-sandbox.ts'
import { startStripe } from './stripe/stripe-sandbox.ts'

const log = createLog({ logLevel: 'silent' })
const publicUrl = 'http://localhost:3000'

/** Each kind: starts it, and tells all that others need to reach it. */
const kinds = {
  mail: async (dataDir: string) => {
    const { smtpUrl, stop } = await startMailSandbox({ dataDir, secretKey: 'a key of this test' }, log)
    return { reached: { smtpUrl }, stop }
  },
  google: async (dataDir: string) => {
    const { stop, settings, gmailImapUrl, gmailSmtpUrl } = await startIssuer({ dataDir, publicUrl }, log)
    return { reached: { settings, gmailImapUrl, gmailSmtpUrl }, stop }
  },
  whatsapp: async (dataDir: string) => {
    const { apiUrl, stop } = await startGraph({ dataDir }, log)
    return { reached: { apiUrl }, stop }
  },
  stripe: async (dataDir: string) => {
    const { settings, stop } = await startStripe({ dataDir }, log)
    return { reached: settings, stop }
  },
}

/** A new data folder that ends with the test. */
function newFolder(onTestFinished: TestContext['onTestFinished']): string {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-one-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.for(Object.entries(kinds))(
  'emulators: %s started four times at once in a new folder runs only once',
  async ([, startIn], { onTestFinished }) => {
    const dataDir = newFolder(onTestFinished)
    const start = () => startIn(dataDir)
    const all = await Promise.all([start(), start(), start(), start()])
    for (const { reached } of all) expect(reached).toEqual(all[0]?.reached)
    for (const { stop } of all) await stop()
    expect(readdirSync(join(dataDir, 'sandbox')).filter((name) => /\.json\..+/.test(name))).toEqual([])
  },
)

// Each waits for seconds whether a stranger is none.
test.concurrent.for(Object.entries(kinds))(
  'emulators: %s starts despite a stranger on its port and a broken file with its address',
  async ([, startIn], { onTestFinished }) => {
    const dataDir = newFolder(onTestFinished)
    const start = () => startIn(dataDir)
    const first = await start()
    await first.stop()
    const [name = ''] = readdirSync(join(dataDir, 'sandbox')).filter(
      (file) => file.endsWith('.json') && !file.includes('state'),
    )
    const port = Number(/:(\d+)/.exec(JSON.stringify(first.reached).replaceAll('127.0.0.1', ''))?.[1])
    const stranger = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{}')).listen(port, '127.0.0.1')
    await new Promise((resolve) => stranger.once('listening', resolve))
    const second = await start()
    expect(second.reached).not.toEqual(first.reached)
    await second.stop()
    stranger.close()
    mkdirSync(join(dataDir, 'sandbox'), { recursive: true })
    writeFileSync(join(dataDir, 'sandbox', name), '{"port":')
    const third = await start()
    const fourth = await start()
    expect(fourth.reached).toEqual(third.reached)
    await fourth.stop()
    await third.stop()
  },
)
