import { setTimeout as wait } from 'node:timers/promises'
import { type CollectorJob, collector } from '#contracts/collector.ts'
import type { Person } from '#server/testing/app.ts'

/** Waits until a collection is in one of these states. */
export async function untilState(
  person: Pick<Person, 'api'>,
  id: string,
  states: CollectorJob['state'][],
  seconds = 60,
): Promise<CollectorJob> {
  const end = Date.now() + seconds * 1_000
  for (;;) {
    const job = await person.api(collector.get, { params: { id } })
    if (states.includes(job.state)) return job
    if (Date.now() > end) throw new Error(`It is still ${job.state}: ${JSON.stringify(job)}`)
    await wait(50)
  }
}

/** Page bodies with links. */
export const page = (text: string, ...links: string[]) =>
  `<!doctype html><title>${text.slice(0, 40)}</title><p>${text}</p>${links.map((link) => `<a href="${link}">go on</a>`).join(' ')}`
