import { type Fetched, type Fetcher, FetchProblem } from '../fetch/fetcher.ts'
import type { Digest } from '../read/digest.ts'
import { type Reader, ReadProblem } from '../read/reader.ts'
import type { Pass } from './hosts.ts'
import { refusalOf, skip } from './judge.ts'
import type { CrawlSettings, Outcome, QueuedPage, SkipReason } from './types.ts'

/** How a request for a page went. */
export type Visit =
  | { kind: 'read'; fetched: Fetched; digest: Digest }
  | { kind: 'moved'; to: string }
  /** It is not read. `hostFails`: because its host does not answer as it should. */
  | { kind: 'skipped'; outcome: Outcome; hostFails: boolean }
  /** It may be asked for again; `rest` in milliseconds is what the server asked for. */
  | { kind: 'busy'; outcome: Outcome; rest: number | undefined; tries: number }
  | { kind: 'stopped' }

/** Asked for again after a failure that may pass, and after an answer that says so. */
const TRIES_AFTER_FAILURE = 2
const TRIES_WHEN_BUSY = 4

const reasonOf = (problem: FetchProblem): SkipReason => (problem.kind === 'blocked' ? 'blocked' : 'error')

async function fetchPage(page: QueuedPage, fetcher: Fetcher, pass: Pass, signal: AbortSignal): Promise<Fetched> {
  let isBroken = true
  try {
    const fetched = await fetcher.get(page.url, { signal })
    isBroken = fetched.cut
    return fetched
  } finally {
    pass.leave(isBroken)
  }
}

/** Asks for a page with a place at its host, and leaves that place. Never rejects but for faults of ours. */
export async function askFor(
  page: QueuedPage,
  fetcher: Fetcher,
  pass: Pass,
  signal: AbortSignal,
): Promise<Visit | Fetched> {
  let fetched: Fetched
  try {
    fetched = await fetchPage(page, fetcher, pass, signal)
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    if (error.kind === 'stopped') return { kind: 'stopped' }
    const outcome = skip(page, reasonOf(error), error.message)
    if (error.kind === 'unreachable' || error.kind === 'lost' || error.kind === 'slow')
      return { kind: 'busy', outcome, rest: undefined, tries: TRIES_AFTER_FAILURE }
    return { kind: 'skipped', outcome, hostFails: false }
  }
  if (fetched.status >= 300 && fetched.status < 400 && fetched.location) return { kind: 'moved', to: fetched.location }
  const refusal = refusalOf(fetched)
  if (!refusal) return fetched
  const outcome = skip(page, 'error', refusal)
  if (fetched.status === 429 || fetched.status === 503)
    return { kind: 'busy', outcome, rest: fetched.retryAfter, tries: TRIES_WHEN_BUSY }
  if (fetched.status >= 500) return { kind: 'busy', outcome, rest: fetched.retryAfter, tries: TRIES_AFTER_FAILURE }
  return { kind: 'skipped', outcome, hostFails: false }
}

/** Reads what came. */
export async function readFetched(
  page: QueuedPage,
  fetched: Fetched,
  reader: Reader,
  { country, kind }: Pick<CrawlSettings, 'country' | 'kind'>,
): Promise<Visit> {
  const { url, contentType, bytes } = fetched
  try {
    return { kind: 'read', fetched, digest: await reader.page({ url, contentType, bytes, country, kind }) }
  } catch (error) {
    if (!(error instanceof ReadProblem)) throw error
    return { kind: 'skipped', outcome: skip(page, 'error', error.message), hostFails: false }
  }
}
