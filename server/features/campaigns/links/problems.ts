import { error, type Problem, warning } from '../channels/problem.ts'
import type { CheckedLink } from './links.ts'

type LinkProblem = Problem<'link_broken' | 'link_unchecked'>

/** Broken links that are named one by one, and addresses named in one warning. */
const MAX_BROKEN = 20
const MAX_NAMED = 3

const shorten = (url: string) => (url.length > 120 ? `${url.slice(0, 119)}…` : url)

/** What the links of an email are worth telling: broken ones each with its place, the others by why nothing is known of them. */
export function describeLinks(links: readonly CheckedLink[]): LinkProblem[] {
  const broken = links.flatMap(({ written, line, finding }) =>
    finding.kind === 'broken' ? [{ written, line, why: finding.why }] : [],
  )
  const problems: LinkProblem[] = broken.slice(0, MAX_BROKEN).map(({ written, line, why }) => ({
    ...error('link_broken', `The link ${shorten(written)} is broken: ${why}.`),
    ...(line && { line }),
  }))
  const rest = broken.slice(MAX_BROKEN)
  if (rest.length > 0)
    problems.push(error('link_broken', `${rest.length} more ${rest.length === 1 ? 'link is' : 'links are'} broken.`))
  return [...problems, ...describeUnchecked(links)]
}

function describeUnchecked(links: readonly CheckedLink[]): LinkProblem[] {
  const byReason = new Map<string, CheckedLink[]>()
  for (const link of links)
    if (link.finding.kind === 'unchecked')
      byReason.set(link.finding.why, [...(byReason.get(link.finding.why) ?? []), link])
  return [...byReason].map(([why, same]) => {
    const named = same.slice(0, MAX_NAMED).map(({ written }) => shorten(written))
    const more = same.length - named.length
    const subject = same.length === 1 ? 'The link' : 'The links'
    const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    const line = same[0]?.line
    return { ...warning('link_unchecked', `${subject} ${list} could not be checked: ${why}.`), ...(line && { line }) }
  })
}
