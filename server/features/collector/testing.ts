import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import type { Person } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'

/** Waits until a crawl job is in one of these states, and returns it. */
export async function untilState(
  person: Pick<Person, 'api'>,
  id: string,
  states: CrawlJob['state'][],
  seconds?: number,
): Promise<CrawlJob> {
  let last: CrawlJob | undefined
  const isReached = async () => {
    last = await person.api(collector.get, { params: { id } })
    return states.includes(last.state) && last
  }
  return until(isReached, () => `${states.join(' or ')}; ${JSON.stringify(last)}`, seconds)
}

/** Page bodies with links. */
export const page = (text: string, ...links: string[]) =>
  `<!doctype html><title>${text.slice(0, 40)}</title><p>${text}</p>${links.map((link) => `<a href="${link}">go on</a>`).join(' ')}`
