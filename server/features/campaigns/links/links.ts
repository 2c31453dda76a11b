/** Checks the links of emails: bounded in number, time and connections, and fair between workspaces. */
import { LRUCache } from 'lru-cache'
import type { LinkTarget } from '#server/engine/index.ts'
import { ALWAYS_THERE, nameServers } from '#server/platform/dns.ts'
import { Semaphore } from '#server/platform/semaphore.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { type LinkFinding, probeLink } from './probe.ts'

type LinkServices = Pick<Services, 'db' | 'config'>

/** Links of one email that are looked at, and milliseconds for all of them. */
const MAX_LINKS = 100
const TOTAL_MS = 20_000
/** Characters of one: findings are held by it. */
const MAX_LENGTH = 4_000
const CHECKS_AN_HOUR = 240
/** Milliseconds that a finding counts: a link that was fixed is soon looked at again. */
const FINE_MS = 5 * 60_000
const TROUBLE_MS = 30_000
/** Milliseconds for which a reply from anywhere shows that the network here works. */
const REACHED_MS = 10 * 60_000

/** Requests at once, of everybody and of one workspace. */
const turns = new Semaphore({ total: 32, each: 8 })
const findings = new LRUCache<string, LinkFinding>({ max: 10_000 })
let reachedAt = Number.NEGATIVE_INFINITY

/** A link with what was found. */
export type CheckedLink = LinkTarget & { finding: LinkFinding }

/** Sites that exist to stand in examples: the content says that they are left. */
const PLACEHOLDER = /^(?:[\w-]+\.)*example\.(?:com|org|net)$/

/**
 * Looks at the links of an email; `url` null is not looked at. Links to this installation are excluded: nothing that opens,
 * clicks or unsubscribes is ever asked for.
 */
export async function checkLinks(
  services: LinkServices,
  workspaceId: string,
  targets: readonly LinkTarget[],
): Promise<CheckedLink[]> {
  const own = ownHosts(services.config)
  const known = targets.filter(({ url }) => {
    const host = url === null ? null : URL.parse(url)?.hostname
    return url === null || (host && !own.has(host) && !PLACEHOLDER.test(host))
  })
  const urls = new Set(known.flatMap(({ url }) => (url === null ? [] : [withoutFragment(url)])))
  const asked = [...urls].filter((url) => url.length <= MAX_LENGTH).slice(0, MAX_LINKS)
  await lookAt(services, workspaceId, asked)
  return known.map((target) => ({ ...target, finding: readFinding(workspaceId, target.url, asked) }))
}

function readFinding(workspaceId: string, url: string | null, asked: readonly string[]): LinkFinding {
  if (url === null) return { kind: 'unchecked', why: 'where it leads depends on the recipient' }
  if (withoutFragment(url).length > MAX_LENGTH)
    return { kind: 'unchecked', why: `it is longer than ${MAX_LENGTH.toLocaleString('en')} characters` }
  const found = findings.get(cacheKey(workspaceId, withoutFragment(url)))
  if (found) return found
  return asked.includes(withoutFragment(url))
    ? { kind: 'unchecked', why: 'there was no time left for it' }
    : { kind: 'unchecked', why: `only the first ${MAX_LINKS} links are checked` }
}

/** Notes what is found of addresses that nothing is known of. */
async function lookAt({ db, config }: LinkServices, workspaceId: string, urls: readonly string[]): Promise<void> {
  const fresh = urls.filter((url) => !findings.has(cacheKey(workspaceId, url)))
  if (fresh.length === 0) return
  const { ok } = await throttle(db, `link-checks:${workspaceId}`, CHECKS_AN_HOUR, 3_600)
  const note = (url: string, finding: LinkFinding) =>
    findings.set(cacheKey(workspaceId, url), finding, { ttl: finding.kind === 'fine' ? FINE_MS : TROUBLE_MS })
  if (!ok) {
    for (const url of fresh) note(url, { kind: 'unchecked', why: 'too many emails were checked within an hour' })
    return
  }
  const clock = AbortSignal.timeout(TOTAL_MS)
  const given = {
    rules: { allow: config.allowPrivate, dnsServers: config.dnsServers },
    userAgent: `Postlark/1.0 (+${config.publicUrl}/bot)`,
    signal: clock,
  }
  const found = await Promise.all(
    fresh.map(async (url) => {
      const release = await turns.acquire(workspaceId)
      try {
        if (clock.aborted) return undefined
        const finding = await probeLink(url, given)
        if (finding.kind === 'fine') reachedAt = performance.now()
        return { url, finding }
      } finally {
        release()
      }
    }),
  )
  for (const one of found) if (one) note(one.url, await settleDoubt(config, one.finding))
}

/** A link that was not reached is broken where others are reached from here, and a name that does not exist where names are known here. */
async function settleDoubt({ dnsServers }: LinkServices['config'], finding: LinkFinding): Promise<LinkFinding> {
  if (finding.kind === 'unreached') {
    const isOnline = performance.now() - reachedAt < REACHED_MS
    return { kind: isOnline ? 'broken' : 'unchecked', why: finding.why }
  }
  // The system's name servers may be those of a closed network, which says "no such name" of everything.
  if (finding.kind !== 'broken' || !finding.why.startsWith('no site ') || dnsServers.length > 0) return finding
  const isTrusted = await nameServers([])
    .resolve4(ALWAYS_THERE)
    .then(
      () => true,
      () => false,
    )
  return isTrusted ? finding : { kind: 'unchecked', why: 'the name servers here do not know the internet’s names' }
}

const cacheKey = (workspaceId: string, url: string) => `${workspaceId} ${url}`

const withoutFragment = (url: string) => url.split('#', 1)[0] as string

const ownHosts = ({ publicUrl, trackingHost }: LinkServices['config']) =>
  new Set([new URL(publicUrl).hostname, ...(trackingHost ? [trackingHost] : [])])
