import { randomBytes, randomUUID } from 'node:crypto'
import { promises } from 'node:dns'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxDns } from '#server/features/sandbox/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { findOrStart } from '../one-per-folder.ts'
import { type NameRecords, serveNames } from './name-server.ts'

/** Where the emulator of a data folder listens, and the text by which it shows that it is that one. */
interface DnsPlace {
  port: number
  key: string
}

/** What is published: names with their records. Any process on the folder writes the file, and the emulator reads it. */
type Zone = Record<string, Pick<NameRecords, 'TXT' | 'CNAME'>>
type Published = Parameters<SandboxDns['publish']>[0][number]

/** The name under which the emulator has its key. */
const PROOF_NAME = 'proof.postlark-sandbox.invalid'
/** Every name under .localhost (RFC 6761): the host that the links of emails lead to in the sandbox is one. */
const LOCAL: NameRecords = { A: ['127.0.0.1'] }
/** Names stored; those published first go first. */
const MAX_NAMES = 5_000

/** Starts a name server on this machine that knows the records published in it, or finds that of another process. */
export async function startDns({ dataDir }: Pick<Config, 'dataDir'>, log: Log) {
  const folder = join(dataDir, 'sandbox')
  const zone = openZone(join(folder, 'dns-zone.json'))
  const { place, running } = await findOrStart({
    file: join(folder, 'dns.json'),
    read: ({ key }, port): DnsPlace | undefined => (typeof key === 'string' ? { port, key } : undefined),
    fresh: (port) => ({ port, key: randomBytes(24).toString('base64url') }),
    responds: hasKey,
    async start({ port, key }) {
      const find = (name: string) => {
        if (name === PROOF_NAME) return { TXT: [key] }
        return name.endsWith('.localhost') ? LOCAL : zone.read()[name]
      }
      const running = await serveNames(({ name }) => find(name.toLowerCase()), { port })
      return { place: { port: running.port, key }, running }
    },
  })
  if (running)
    log.info({ port: place.port }, 'sandbox: a name server on this machine stands in for DNS of sending domains')
  return {
    address: `127.0.0.1:${place.port}`,
    publish: (records: readonly Published[]) =>
      zone.change((names) => {
        for (const record of records) publish(names, record)
      }),
    withdraw: (records: readonly Published[]) =>
      zone.change((names) => {
        for (const record of records) withdraw(names, record)
      }),
    stop: async () => running?.stop(),
  }
}

async function hasKey({ port, key }: DnsPlace): Promise<boolean> {
  const resolver = new promises.Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])
  const found = await resolver.resolveTxt(PROOF_NAME).catch(() => [])
  return found.some((strings) => strings.join('') === key)
}

/** What a TXT record is for, by its first words: v=spf1, v=DKIM1. There is one of each under a name. */
const toKind = (text: string) => /^[^\s;]*/.exec(text)?.[0] ?? ''

function withdraw(zone: Zone, { type, name, value }: Published): void {
  const { TXT = [], CNAME } = zone[name] ?? {}
  const left = TXT.filter((text) => type !== 'TXT' || toKind(text) !== toKind(value))
  const alias = type === 'CNAME' ? undefined : CNAME
  delete zone[name]
  if (left.length > 0 || alias !== undefined)
    zone[name] = { ...(left.length > 0 && { TXT: left }), ...(alias !== undefined && { CNAME: alias }) }
}

function publish(zone: Zone, record: Published): void {
  withdraw(zone, record)
  const { type, name, value } = record
  const known = zone[name]
  zone[name] = type === 'CNAME' ? { CNAME: value } : { ...known, TXT: [...(known?.TXT ?? []), value] }
  for (const oldest of Object.keys(zone).slice(0, -MAX_NAMES)) delete zone[oldest]
}

/** The zone in its file; read again whenever it changed. */
function openZone(file: string) {
  let known: { zone: Zone; at: number } = { zone: {}, at: -1 }
  const read = (): Zone => {
    try {
      const at = statSync(file).mtimeMs
      if (at !== known.at)
        known = { zone: Object.assign(Object.create(null), JSON.parse(readFileSync(file, 'utf8'))), at }
      return known.zone
    } catch {
      // Nothing was published yet, or the file is damaged.
      return Object.create(null)
    }
  }
  return {
    read,
    change(edit: (zone: Zone) => void): void {
      const zone = Object.assign(Object.create(null), structuredClone({ ...read() }))
      edit(zone)
      const draft = `${file}.${randomUUID()}`
      writeFileSync(draft, JSON.stringify(zone), { mode: 0o600 })
      renameSync(draft, file)
      known = { zone, at: -1 }
    },
  }
}
