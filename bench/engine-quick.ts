/** A quick look at the engine alone: splice, and splice + SMTP + journal with and without DKIM signatures, against nodemailer's pooled loop, same sink, same message. */
import { fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import nodemailer, { type Transporter } from 'nodemailer'
import {
  compile,
  createPools,
  createSigner,
  createTokens,
  openGate,
  openJournal,
  prepare,
  type Recipient,
  runSlice,
  type Signer,
  splice,
} from '#server/engine/index.ts'

const COUNT = Number(process.argv[2] ?? 20_000)
const CONNECTIONS = 20

/** Takes everything, at next to no cost. */
function sink(): void {
  const server = net.createServer((socket) => {
    let data = false
    let pending = ''
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.write('220 sink\r\n')
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1')
      let out = ''
      for (;;) {
        const end = data ? pending.indexOf('\r\n.\r\n') : pending.indexOf('\r\n')
        if (end < 0) break
        const line = data ? '.' : pending.slice(0, end).toUpperCase()
        pending = pending.slice(end + (data ? 5 : 2))
        if (data) out += '250 2.0.0 taken\r\n'
        else if (line.startsWith('EHLO')) out += '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n'
        else if (line === 'DATA') out += '354 go\r\n'
        else if (line === 'QUIT') out += '221 bye\r\n'
        else out += '250 2.1.0 ok\r\n'
        data = line === 'DATA'
      }
      if (out) socket.write(out)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as net.AddressInfo).port))
}

const paragraph =
  '<p style="margin:0 0 16px">We have put together what changed this month, and what it means for your team, in a few lines.</p>\n'
const link = (n: number) =>
  `<p><a href="https://example.com/offers/${n}?utm_source=mail&amp;utm_campaign=spring">Read about offer ${n}</a></p>\n`
const html = `<html><body><h1>Hello {{ name | default: "there" }}</h1><p>News for {{ attributes.company }}</p>${paragraph.repeat(70)}${[1, 2, 3, 4, 5].map(link).join('')}</body></html>`

const person = (i: number): Recipient => ({
  id: String(i + 1),
  email: `user${i}@example.com`,
  name: `Zoë Person ${i}`,
  attributes: { company: `Company & Sons ${i}` },
})

async function measure(name: string, work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  const rate = COUNT / ((performance.now() - start) / 1000)
  console.log(`${name.padEnd(42)} ${rate.toFixed(0).padStart(8)} /s`)
  return rate
}

async function main(): Promise<void> {
  const child = fork(import.meta.filename, ['sink'])
  const [port] = (await once(child, 'message')) as [number]
  const people = Array.from({ length: COUNT }, (_, i) => person(i))
  const plan = await compile({
    subject: 'News for {{ name }}',
    html,
    from: { name: 'Ann', address: 'ann@example.com' },
    trackOpens: true,
    trackClicks: true,
    publicUrl: 'http://localhost:3000',
    footer: { company: 'Acme', postalAddress: '1 Road, Town' },
    listId: 'list-1',
    feedbackId: 'c1:w1:email:postlark',
  })
  const tokens = createTokens('bench')
  const prepared = prepare(plan, tokens)
  console.log(`${COUNT} messages of ${splice(prepared, person(0)).data.length} bytes, ${CONNECTIONS} connections`)
  await measure('tokens', () => {
    for (const one of people) tokens.sign('open', one.id)
  })
  for (const one of people.slice(0, 2000)) splice(prepared, one)
  await measure('splice', () => {
    for (const one of people) splice(prepared, one)
  })

  const dir = mkdtempSync(path.join(tmpdir(), 'engine-quick-'))
  const pools = createPools()
  const pool = pools.get('sink', { smtp: { host: '127.0.0.1', port, secure: 'none' }, size: CONNECTIONS })
  const send = (name: string, signer?: Signer) =>
    measure(name, async () => {
      const journal = openJournal(dir, 'bench')
      let sent = 0
      const count = (_id: string, outcome: { kind: string }) => {
        if (outcome.kind === 'sent') sent++
      }
      await runSlice({ prepared, signer, recipients: people, pool, journal, gate: openGate, onOutcome: count })
      journal.remove()
      if (sent !== COUNT) throw new Error(`${sent} of ${COUNT} sent`)
    })
  const ours = await send('splice + journal + SMTP')
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem) as string
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export(pem) as string
  const key = (algorithm: 'rsa' | 'ed25519', privateKey: string) =>
    ({ domain: 'example.com', selector: algorithm, algorithm, privateKey }) as const
  const withRsa = await send('the same, signed (RSA)', createSigner([key('rsa', rsa)]))
  await send('the same, signed (Ed25519 and RSA)', createSigner([key('ed25519', ed25519), key('rsa', rsa)]))
  console.log(`signing with RSA costs ${((1 - withRsa / ours) * 100).toFixed(0)} % of the rate`)
  await pools.close()
  rmSync(dir, { recursive: true })

  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
  })
  const theirs = await measure('nodemailer pooled sendMail', () => nodemailerLoop(transport, people, plan.text))
  transport.close()
  console.log(`ratio ${(ours / theirs).toFixed(1)}`)
  child.kill()
}

async function nodemailerLoop(transport: Transporter, people: Recipient[], text: string): Promise<void> {
  let next = 0
  const one = async () => {
    for (let person = people[next++]; person; person = people[next++]) {
      const { id, email, name = '', attributes = {} } = person
      const body = html
        .replace('{{ name | default: "there" }}', String(name))
        .replace('{{ attributes.company }}', String(attributes.company))
        .replace(/href="[^"]*"/g, () => `href="http://localhost:3000/t/c/${id}"`)
        .replace('</body>', `<img src="http://localhost:3000/t/o/${id}" width="1" height="1" alt=""></body>`)
      await transport.sendMail({
        from: { name: 'Ann', address: 'ann@example.com' },
        to: { name: String(name), address: email },
        subject: `News for ${name}`,
        html: body,
        text: text.replace(/\{\{[^}]*\}\}/g, String(name)),
        headers: {
          'List-Unsubscribe': `<http://localhost:3000/u/${id}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS * 2 }, one))
}

if (process.argv[2] === 'sink') sink()
else await main()
