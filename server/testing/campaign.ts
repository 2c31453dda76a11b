import { sql } from 'kysely'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { launchCampaign } from '#server/features/campaigns/launch/launch.ts'
import type { Services } from '#server/services.ts'
import type { Person } from './app.ts'
import { until } from './until.ts'

export const HTML = `<!doctype html><html><head><title>News</title><style>p { color: #123456 }</style></head><body>
<h1>Hello {{ name | default: "there" }}</h1>
<p>News for {{ attributes.company | default: "your company" }}: <a href="https://example.com/offer?c={{ attributes.company | url_encode }}">the offer</a> and <a href="https://example.com/about">about us</a>.</p>
<p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p></body></html>`

/** A list with `count` contacts r1@example.com …, inserted straight into the database: importing has tests of its own. */
export async function listWith(
  services: Pick<Services, 'db'>,
  person: Person,
  count: number,
  address = (n: number) => `r${n}@example.com`,
): Promise<string> {
  const list = await services.db
    .insertInto('lists')
    .values({ workspaceId: person.workspaceId, name: `List of ${count}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  await sql`
    with added as (
      insert into contacts (workspace_id, email, email_key, name, attributes)
      select ${person.workspaceId}::bigint, address, lower(address), 'Person ' || n, jsonb_build_object('company', 'Firm ' || n)
      from unnest(${numbers.map(address)}::text[], ${numbers}::int[]) as given (address, n)
      returning id, workspace_id
    ) insert into list_members (workspace_id, list_id, contact_id) select workspace_id, ${list.id}::bigint, id from added`.execute(
    services.db,
  )
  return list.id
}

/** A draft ready to send to a list. */
export async function draftTo(person: Person, listId: string, change: Record<string, unknown> = {}) {
  return person.api(campaigns.create, {
    body: { name: 'News', subject: 'News for {{ name }}', html: HTML, listIds: [listId], ...change },
  })
}

/** Launches a draft as sending it does, with slices of so many contacts; `signal` cuts it off. */
export async function launchInSlices(
  services: Services,
  { workspaceId }: Pick<Person, 'workspaceId'>,
  campaignId: string,
  size: number,
  signal = new AbortController().signal,
): Promise<void> {
  await services.db
    .updateTable('campaigns')
    .set({ state: 'sending', startedAt: new Date() })
    .where('id', '=', campaignId)
    .where('state', '=', 'draft')
    .execute()
  await launchCampaign(services, workspaceId, campaignId, signal, size)
}

/** The time of what waits in a campaign, or in a follow-up of it, has come, and its sending continues at once. */
export async function letTimePass(
  { db, live }: Pick<Services, 'db' | 'live'>,
  campaignId: string,
  stepId = campaignId,
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ dueAt: new Date() })
    .where('campaignId', '=', stepId)
    .where('dueAt', 'is not', null)
    .execute()
  live.publish('sending', campaignId)
}

/**
 * Makes a change while a campaign is paused, and resumes it so that it looks at once. Without the pause, a campaign that
 * may go on by the change could end before anybody resumes it.
 */
export async function whilePaused(person: Person, id: string, change: () => Promise<unknown>): Promise<void> {
  await person.api(campaigns.pause, { params: { id } })
  await change()
  await person.api(campaigns.resume, { params: { id } })
}

/** Watches a campaign until it is in one of the states, and returns it; the events a campaign ends with are its rows. */
export async function untilState(person: Person, id: string, states: string[], seconds?: number) {
  let last: Awaited<ReturnType<typeof show>> | undefined
  const show = () => person.api(campaigns.get, { params: { id } })
  const isReached = async () => {
    last = await show()
    return states.includes(last.state) && last
  }
  const what = () => `${states.join(' or ')}: ${last?.state} ${JSON.stringify(last?.counts)} ${last?.stateText}`
  return until(isReached, what, seconds)
}
