import type { Fetched } from '../fetch/fetcher.ts'
import type { Digest } from '../read/digest.ts'
import type { PageOutcome, QueuedPage, SkipReason } from './types.ts'

/** The outcome of a page that was not read. */
export const skip = (page: QueuedPage, reason: SkipReason, text: string): PageOutcome => ({
  page,
  skipped: { reason, text },
  title: '',
  findings: [],
  links: [],
})

const OURS = /^(?:postlark|\*)$/
/** Rules of X-Robots-Tag that have a value behind a colon; any other name in front of one is a robot's. */
const VALUED = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/

/** The rules of X-Robots-Tag lines that are meant for us: those behind another robot's name are not. */
function parseRobotsTag(lines: string[]): string[] {
  return lines.flatMap((line) => {
    let isOurs = true
    return line.split(',').flatMap((part) => {
      const [, name, rest] = /^\s*([\w*-]+)\s*:\s*(.*)$/.exec(part) ?? []
      if (name === undefined || VALUED.test(name)) return isOurs ? [part.trim()] : []
      isOurs = OURS.test(name)
      return isOurs ? [rest?.trim() ?? ''] : []
    })
  })
}

/** What header and mark-up of a page say to robots. */
export function orders(fetched: Pick<Fetched, 'robots'>, markup: string): { harvest: boolean; follow: boolean } {
  const rules = [...parseRobotsTag(fetched.robots), ...markup.split(',').map((rule) => rule.trim())]
  const isNone = rules.includes('none')
  return { harvest: !isNone && !rules.includes('noindex'), follow: !isNone && !rules.includes('nofollow') }
}

/** Whether two addresses differ only in parts that do not change the response: TLS, www. and a slash at the end. */
export function isSamePage(one: string, other: string): boolean {
  const bare = (address: string) => address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/(?=$|\?)/, '')
  return bare(one) === bare(other)
}

/** What the site itself says against keeping a page's contacts: a header, or words. */
export function objection(
  fetched: Fetched,
  { notice, robots }: Digest,
): { text: string; coversHost: boolean } | undefined {
  if (notice) return { text: `The site says: “${notice.text}”`, coversHost: notice.coversHost }
  if (fetched.reserved || /\btdm-reservation=1\b/.test(robots))
    return { text: 'The page reserves its rights in data mining (tdm-reservation).', coversHost: false }
  return undefined
}

/** Why an answer is no page, in words; undefined when it is one. */
export function describeRefusal({ status }: Fetched): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 404 || status === 410) return `There is no such page (${status}).`
  if (status === 401 || status === 402 || status === 407) return `It requires signing in (${status}).`
  if (status === 403 || status === 451) return `The server refuses to show it (${status}).`
  if (status === 429) return 'The server asks to slow down (429).'
  if (status === 503) return 'The server is too busy (503).'
  if (status >= 500) return `The server has an error (${status}).`
  return `The server responds with status ${status}.`
}
