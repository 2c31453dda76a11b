/** A campaign of the whole product to a local mail sink, for the benchmarks that send one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { domains } from '#contracts/senders/domains.ts'
import { senders } from '#contracts/senders/senders.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'
import { uploadPeople } from '../e2e/support/sending.ts'
import { freePort, signIn, startServer } from '../e2e/support/server-process.ts'
import { peakMemory, type startSink } from './measure.ts'

export const CONNECTIONS = 20

/** 10 kB of HTML with five links, personalized in seven places. */
export function html(name: string, company: string, unsubscribe: string): string {
  const block = (
    n: number,
  ) => `<tr><td style="padding:16px;font-family:Arial,sans-serif;font-size:16px;line-height:24px;color:#22223b"><h2 style="margin:0 0 8px">Story ${n} for ${company}</h2>
<p style="margin:0 0 12px">Hello ${name}, this is what happened since we last wrote. ${'We looked at the numbers, talked to people and changed what did not work. '.repeat(17)}</p>
<p style="margin:0"><a href="https://example.com/story/${n}?from=mail" style="color:#4338ca">Read story ${n}</a></p></td></tr>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>News</title></head><body style="margin:0"><table role="presentation" width="100%">
${[1, 2, 3, 4, 5].map(block).join('\n')}<tr><td><a href="${unsubscribe}">Unsubscribe</a></td></tr></table></body></html>`
}

export interface SentCampaign {
  /** Messages a second. */
  rate: number
  /** MiB, of the process with the most. */
  memory: number
  /** Milliseconds from the call that sends to the first message. */
  first: number
}

interface Setting {
  /** One web and two workers on this database; missing: one process with the embedded one. */
  databaseUrl?: string
  /** The DKIM keys that DNS has; missing: emails are not signed. */
  keys?: readonly ('rsa' | 'ed25519')[]
  /** It is checked before it is sent, as the wizard does: what that takes is running by then. */
  isChecked?: boolean
  /** Milliseconds between the check and the send call. */
  restMs?: number
}

const DOMAIN = 'bench.example'

/** Publishes keys of a new sending domain, and has them found: that is what emails are signed by. */
async function publishKeys(
  api: Awaited<ReturnType<typeof signIn>>,
  zone: Zone,
  keys: readonly string[],
): Promise<void> {
  const { id, records } = await api(domains.create, { body: { domain: DOMAIN } })
  const published = records.filter(({ value }) => keys.some((key) => value.includes(`k=${key};`)))
  for (const { name, value } of published) zone[name] = { TXT: [value] }
  const checked = await api(domains.check, { params: { id } })
  const found = checked.records.filter(({ purpose, state }) => purpose === 'dkim' && state === 'pass')
  if (found.length !== keys.length) throw new Error(`${found.length} of ${keys.length} DKIM keys were found`)
}

/** Sends a campaign to `count` people, claim to last acknowledgement, with every result durable. */
export async function sendCampaign(
  sink: Awaited<ReturnType<typeof startSink>>,
  count: number,
  { databaseUrl, keys, isChecked = false, restMs = 0 }: Setting = {},
): Promise<SentCampaign> {
  const zone: Zone = {}
  const names = keys && (await startNameServer(zone))
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
  const environment = {
    DATA_DIR: dataDir,
    SMTP_URL: sink.url,
    SECRET_KEY: 'a secret key of more than thirty-two characters',
    ...(names && { DNS_SERVERS: names.address }),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const roles = databaseUrl ? ['web', 'worker', 'worker'] : ['all']
  const servers: ReturnType<typeof startServer>[] = []
  for (const ROLE of roles) {
    const server = startServer({ ...environment, ROLE, PORT: String(await freePort()) })
    await server.ready
    servers.push(server)
  }
  try {
    const api = await signIn(servers[0]?.url ?? '')
    const listId = await uploadPeople(api, count)
    if (keys) await publishKeys(api, zone, keys)
    const sender = (await api(senders.list, { query: {} })).items[0]
    await api(senders.update, {
      params: { id: sender?.id ?? '' },
      body: {
        fromEmail: `news@${keys ? DOMAIN : 'example.com'}`,
        fromName: 'News',
        limits: { connections: CONNECTIONS },
      },
    })
    const draft = await api(campaigns.create, {
      body: {
        name: 'Bench',
        subject: 'News for {{ name }}',
        html: html('{{ name }}', '{{ attributes.company }}', '{{ unsubscribe_url }}'),
        listIds: [listId],
      },
    })
    if (isChecked) await api(campaigns.check, { params: { id: draft.id } })
    await wait(restMs)
    sink.reset()
    const clickedAt = Date.now()
    await api(campaigns.send, { params: { id: draft.id }, body: {} })
    for (;;) {
      await wait(250)
      const { state, counts, startedAt, finishedAt } = await api(campaigns.get, { params: { id: draft.id } })
      if (state !== 'sent') continue
      if (counts.sent !== count) throw new Error(`only ${counts.sent} of ${count} were sent`)
      const seconds = (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1000
      return {
        rate: count / seconds,
        memory: Math.max(...servers.map((server) => peakMemory(server.pid))),
        first: (await sink.firstAt()) - clickedAt,
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await names?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
