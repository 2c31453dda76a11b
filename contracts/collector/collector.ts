import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import {
  cursorCodec,
  Empty,
  Id,
  IdParams,
  Line,
  Moment,
  PageOf,
  PageQuery,
  QueryNumber,
  Search,
} from '#contracts/values.ts'

const count = z.number().int()

export const CollectorKind = z.enum(['email', 'phone'])
export type CollectorKind = z.infer<typeof CollectorKind>
/** A job at rest is `paused`, `done`, `stopped` by its owner, or `failed` with the reason in `stateText`. */
export const CollectorState = z.enum(['queued', 'running', 'paused', 'done', 'stopped', 'failed'])
export type CollectorState = z.infer<typeof CollectorState>

/** Addresses a job takes at once, the most pages and the deepest way from them that it goes. */
export const COLLECTOR_LIMITS = { urls: 10_000, pages: 50_000, depth: 20, paths: 50 }

/** Why pages were not read. `robots`: robots.txt or the page itself forbids it; `notice`: the site forbids collecting; `blocked`: not a public address. */
export const CollectorSkipped = z.object({
  robots: count,
  blocked: count,
  error: count,
  notice: count,
  trap: count,
  duplicate: count,
})
export type CollectorSkipped = z.infer<typeof CollectorSkipped>

/** How far a job is. */
const Progress = {
  state: CollectorState,
  stateText: z.string(),
  pagesFetched: count,
  pagesQueued: count,
  found: count,
  skipped: CollectorSkipped,
}

export const CrawlJob = z.object({
  id: Id,
  kind: CollectorKind,
  /** The host of the first address, and how many more: "example.com and 3 more". */
  name: z.string(),
  /** The first 20 addresses given, as they were understood; `urlCount` says of how many. */
  urls: z.array(z.string()),
  urlCount: count,
  maxPages: count,
  maxDepth: count,
  subdomains: z.boolean(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  country: z.string().nullable(),
  ...Progress,
  createdAt: Moment,
  startedAt: Moment.nullable(),
  finishedAt: Moment.nullable(),
})
export type CrawlJob = z.infer<typeof CrawlJob>

/** What DNS says of an address' domain. `unknown`: no name server answered; nobody is asked whether the mailbox exists. */
export const MxState = z.enum(['yes', 'no', 'unknown'])

export const CollectorResult = z.object({
  id: Id,
  kind: CollectorKind,
  value: z.string(),
  sourceUrl: z.string(),
  pageTitle: z.string(),
  /** The words around it on its page. */
  context: z.string(),
  /** How it stood there: a link, plain text, hidden from robots and so on. */
  method: z.string(),
  confidence: z.number(),
  valid: z.object({ syntax: z.boolean(), mx: MxState, disposable: z.boolean(), role: z.boolean(), free: z.boolean() }),
  /** Name of the person and of the organization, where the page's own data says it. */
  personName: z.string(),
  organization: z.string(),
  /** Of numbers: libphonenumber's type (MOBILE, FIXED_LINE, …) and ISO 3166 country, where known. */
  type: z.string().nullable(),
  country: z.string().nullable(),
  /** The list it was added to last. */
  listId: Id.nullable(),
  foundAt: Moment,
})
export type CollectorResult = z.infer<typeof CollectorResult>

export const SkipReason = z.enum(['robots', 'blocked', 'error', 'notice', 'trap', 'duplicate'])
export type SkipReason = z.infer<typeof SkipReason>

/** A page that was not read, and why, in words. */
export const CollectorSkip = z.object({
  url: z.string(),
  reason: SkipReason,
  text: z.string(),
  at: Moment,
})
export type CollectorSkip = z.infer<typeof CollectorSkip>

const Group = z.object({ value: z.string().nullable(), count })

/** A crawl job's results counted, for its charts. Groups come largest first; a null value is unknown. */
export const CollectorFigures = z.object({
  /** How many were found by each moment: up to 60 points from the first finding to the last, counts never fall. */
  series: z.array(z.object({ at: Moment, found: count })),
  /** Of numbers, as in CollectorResult; up to 12 each. Empty for addresses. */
  countries: z.array(Group),
  types: z.array(Group),
  /** Hosts of the pages they were found on; up to 12. */
  sites: z.array(Group),
  /** Of addresses; zeros for numbers. */
  role: count,
  free: count,
  disposable: count,
  mx: z.object({ yes: count, no: count, unknown: count }),
})
export type CollectorFigures = z.infer<typeof CollectorFigures>

/** What the live stream sends about once a second (event `progress`) while findings come one by one (event `found`, a CollectorResult). */
export const CollectorProgress = z.object({
  ...Progress,
  pagesPerSecond: z.number(),
  /** null while it cannot be known. */
  secondsLeft: z.number().nullable(),
})
export type CollectorProgress = z.infer<typeof CollectorProgress>

/** Why these people may be written to; explained on the page, stored with each contact. */
export const LawfulBasis = z.enum(['consent', 'customer', 'legitimate_interest'])
export type LawfulBasis = z.infer<typeof LawfulBasis>

export const ResultSort = z.enum(['found', 'value', 'confidence', 'source'])
/** Which of the results; the same for reading, exporting and adding to a list. */
const filter = {
  q: Search.optional(),
  role: z.enum(['role', 'personal']).optional(),
  mx: MxState.optional(),
  minConfidence: QueryNumber(z.number().min(0).max(1)).optional(),
  /** Without those whose owner hid them from robots (encoded, put together by a script). */
  open: z.enum(['true', 'false']).optional(),
  country: z.string().length(2).optional(),
  type: z.string().max(40).optional(),
}
/** Where a page of results ended: the order it belongs to, what the last result is sorted by, and its id. */
export const ResultCursor = cursorCodec(
  z.tuple([z.string(), z.union([z.string().regex(/^\P{Cc}*$/u), z.number()]), Id]),
)

const ResultQuery = PageQuery.extend({
  cursor: ResultCursor.optional(),
  limit: QueryNumber(z.number().int().min(1).max(1_000)).default(200),
  sort: ResultSort.default('found'),
  order: z.enum(['asc', 'desc']).default('asc'),
  ...filter,
})

const Path = Line(500).regex(/^\//, 'begins with /, such as /team')
const Country = z
  .string()
  .trim()
  .regex(/^[A-Za-z]{2}$/, 'must be a country as two letters, such as DE')
  .transform((code) => code.toUpperCase())

const NewJob = z.strictObject({
  kind: CollectorKind,
  urls: z
    .array(z.string().max(10_000, 'is too long for an address'))
    .min(1, 'needs at least one address')
    .max(COLLECTOR_LIMITS.urls, 'takes up to 10,000 addresses at once'),
  maxPages: z
    .number()
    .int()
    .min(1, 'must be 1 or more')
    .max(COLLECTOR_LIMITS.pages, 'must be 50,000 or less')
    .default(200),
  maxDepth: z.number().int().min(0, 'must be 0 or more').max(COLLECTOR_LIMITS.depth, 'must be 20 or less').default(3),
  subdomains: z.boolean().default(false),
  include: z.array(Path).max(COLLECTOR_LIMITS.paths).default([]),
  exclude: z.array(Path).max(COLLECTOR_LIMITS.paths).default([]),
  country: Country.optional(),
})

export const collector = {
  list: endpoint('GET /api/collector/jobs', 'paid', {
    summary: 'List scrapes, newest first',
    query: PageQuery.extend({ kind: CollectorKind.optional() }),
    response: PageOf(CrawlJob),
  }),
  create: endpoint('POST /api/collector/jobs', 'paid', {
    refusals: [402, 409],
    summary:
      'Collect addresses or numbers from public pages. URLs that cannot be requested are listed in `refused`; the others are crawled',
    status: 202,
    body: NewJob,
    response: CrawlJob.extend({ refused: z.array(z.object({ url: z.string(), reason: z.string() })) }),
  }),
  get: endpoint('GET /api/collector/jobs/:id', 'paid', {
    summary: 'Get a scrape with its progress',
    params: IdParams,
    response: CrawlJob,
  }),
  remove: endpoint('DELETE /api/collector/jobs/:id', 'paid', {
    refusals: [409],
    summary: 'Delete a scrape that is not running, with its results; contacts created from them stay',
    params: IdParams,
    response: Empty,
  }),
  results: endpoint('GET /api/collector/jobs/:id/results', 'paid', {
    summary: 'List the results',
    params: IdParams,
    query: ResultQuery,
    response: PageOf(CollectorResult),
  }),
  figures: endpoint('GET /api/collector/jobs/:id/figures', 'paid', {
    summary: 'Get counts of the results by time, country, type and site',
    params: IdParams,
    response: CollectorFigures,
  }),
  skips: endpoint('GET /api/collector/jobs/:id/skips', 'paid', {
    summary: 'List skipped pages with the reason',
    params: IdParams,
    query: PageQuery.extend({ reason: SkipReason.optional() }),
    response: PageOf(CollectorSkip),
  }),
  live: endpoint('GET /api/collector/jobs/:id/live', 'paid', {
    summary: 'Stream progress and results as server-sent events',
    transport: 'events',
    params: IdParams,
  }),
  pause: endpoint('POST /api/collector/jobs/:id/pause', 'paid', {
    refusals: [409],
    summary: 'Pause a scrape; queued pages stay queued',
    params: IdParams,
    response: CrawlJob,
  }),
  resume: endpoint('POST /api/collector/jobs/:id/resume', 'paid', {
    refusals: [402, 409],
    summary: 'Resume a paused scrape',
    params: IdParams,
    response: CrawlJob,
  }),
  stop: endpoint('POST /api/collector/jobs/:id/stop', 'paid', {
    refusals: [409],
    summary: 'Stop a scrape; its results are retained',
    params: IdParams,
    response: CrawlJob,
  }),
  export: endpoint('GET /api/collector/jobs/:id/export', 'paid', {
    types: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    summary: 'Export all or matching results as CSV or XLSX, with formula characters neutralized',
    transport: 'file',
    params: IdParams,
    query: z.object({ format: z.enum(['csv', 'xlsx']).default('csv'), ...filter }),
  }),
  toList: endpoint('POST /api/collector/jobs/:id/to-list', 'paid', {
    refusals: [402],
    summary: 'Create contacts from results, with their source. Contacts without a lawful basis get no campaigns',
    params: IdParams,
    body: z.strictObject({
      listId: Id,
      /** All results when omitted. */
      ids: z.array(Id).min(1).max(100_000).optional(),
      /** Only those that match, as in the query of the results. */
      filter: z.strictObject(filter).optional(),
      basis: LawfulBasis.optional(),
      /** In the user's words: which consent, which purchase, which weighing of interests. */
      basisNote: Line(1_000).optional(),
    }),
    response: z.object({ added: count, known: count, suppressed: count, refused: count }),
  }),
}
