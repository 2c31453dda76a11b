import { type Fetched, type Fetcher, FetchProblem } from '../fetch/fetcher.ts'
import type { Digest } from '../read/digest.ts'
import { type PageReader, ReadProblem } from '../read/reader.ts'
import type { Pass } from './hosts.ts'
import { describeRefusal, skip } from './judge.ts'
import type { CrawlSettings, PageOutcome, QueuedPage } from './types.ts'

/** How a request for a page went. */
export type Visit =
  | { kind: 'read'; fetched: Fetched; digest: Digest }
  | { kind: 'moved'; to: string }
  | { kind: 'skipped'; outcome: PageOutcome }
  /** It may be asked for again; `rest` in milliseconds is what the server asked for. */
  | { kind: 'busy'; outcome: PageOutcome; rest: number | undefined; tries: number }
  | { kind: 'stopped' }

/** Asked for again after a failure that may pass, and after an answer that says so. */
const TRIES_AFTER_FAILURE = 2
const TRIES_WHEN_BUSY = 4

/** What an answer means: a page to read (as it came), or an end. */
function interpretResponse(page: QueuedPage, fetched: Fetched): Visit | Fetched {
  const { status, location, retryAfter: rest } = fetched
  if (status >= 300 && status < 400 && location) return { kind: 'moved', to: location }
  const refusal = describeRefusal(fetched)
  if (!refusal) return fetched
  const outcome = skip(page, 'error', refusal)
  if (status === 429 || status === 503) return { kind: 'busy', outcome, rest, tries: TRIES_WHEN_BUSY }
  if (status >= 500) return { kind: 'busy', outcome, rest, tries: TRIES_AFTER_FAILURE }
  return { kind: 'skipped', outcome }
}

function toFailedVisit(page: QueuedPage, error: FetchProblem): Visit {
  if (error.kind === 'stopped') return { kind: 'stopped' }
  const outcome = skip(page, error.kind === 'blocked' ? 'blocked' : 'error', error.message)
  if (error.kind === 'unreachable' || error.kind === 'lost' || error.kind === 'slow')
    return { kind: 'busy', outcome, rest: undefined, tries: TRIES_AFTER_FAILURE }
  return { kind: 'skipped', outcome }
}

/**
 * Asks for a page with a place at its host. `before` is told how it went before the place is left: a busy host must rest before
 * another page takes it. Rejects only for faults of ours.
 */
export async function askFor(
  page: QueuedPage,
  { fetcher, pass, signal }: { fetcher: Fetcher; pass: Pass; signal: AbortSignal },
  before: (visit: Visit | Fetched) => void,
): Promise<Visit | Fetched> {
  let isBroken = true
  try {
    const fetched = await fetcher.get(page.url, { signal })
    isBroken = fetched.cut
    const meaning = interpretResponse(page, fetched)
    before(meaning)
    return meaning
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    const failure = toFailedVisit(page, error)
    before(failure)
    return failure
  } finally {
    pass.leave(isBroken)
  }
}

/** Reads what came. */
export async function readFetched(
  page: QueuedPage,
  fetched: Fetched,
  reader: PageReader,
  { country, kind }: Pick<CrawlSettings, 'country' | 'kind'>,
): Promise<Visit> {
  const { url, contentType, bytes } = fetched
  try {
    return { kind: 'read', fetched, digest: await reader.page({ url, contentType, bytes, country, kind }) }
  } catch (error) {
    if (!(error instanceof ReadProblem)) throw error
    return { kind: 'skipped', outcome: skip(page, 'error', error.message) }
  }
}
