import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { planLimits } from '#contracts/billing/plans.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { untilState } from '#server/testing/campaign.ts'
import { activeJourney, emailStep, enrol, letWaitsPass, manual, untilAtRest } from '#server/testing/journey.ts'
import { isLong } from '#server/testing/long.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { TOO_SLOW } from './runner.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

test('journeys: contacts get the email of a step once, wait, go the way of their branch and end', async () => {
  const person = await t.person()
  const { api } = person
  const [vip, welcomed] = [
    await api(tags.create, { body: { name: 'VIP' } }),
    await api(tags.create, { body: { name: 'Welcomed' } }),
  ]
  const list = await api(lists.create, { body: { name: 'Club' } })
  await api(accounts.update, { body: { weeklyEmails: 1 } })
  const [ann, ben] = [
    await api(contacts.create, { body: { email: 'ann@way.example', name: 'Ann', tags: [vip.id] } }),
    await api(contacts.create, { body: { email: 'ben@way.example', name: 'Ben' } }),
  ]
  const journey = await activeJourney(
    person,
    manual([
      await emailStep(person, 'hello'),
      { id: 'pause', kind: 'wait', amount: 2, unit: 'days' },
      {
        ...{
          id: 'is-vip',
          kind: 'branch',
          filter: { op: 'and', items: [{ field: 'tag', is: 'equal', value: vip.id }] },
        },
        yes: [{ id: 'club', kind: 'add_to_list', listId: list.id }],
        no: [{ id: 'leave', kind: 'exit' }],
      },
      await emailStep(person, 'again'),
      { id: 'done', kind: 'tag', tagId: welcomed.id },
      { id: 'note', kind: 'set_field', attributes: { stage: 'member' } },
    ]),
  )
  expect(journey).toMatchObject({ state: 'active', problems: [], stateText: '' })
  const of = { params: { id: journey.id } }
  expect(await enrol(person, journey.id, [ann.id, ben.id])).toMatchObject({ total: 2, changed: 2, names: ['Journey'] })
  expect(await enrol(person, journey.id, [ann.id])).toMatchObject({ processed: 1, changed: 0 })
  await until(
    async () => t.sink.received.filter(({ to }) => to[0]?.endsWith('@way.example')).length === 2,
    'both emails',
  )
  const waiting = await untilAtRest(person, journey.id, t.services)
  expect(waiting.get('ann@way.example')).toMatchObject({ state: 'active', stepId: 'pause', endedAt: null })
  expect((await api(journeys.get, of)).steps.slice(0, 3)).toMatchObject([
    { stepId: 'hello', entered: 2, waiting: 0 },
    { stepId: 'pause', entered: 2, waiting: 2, campaignId: null },
    { stepId: 'is-vip', entered: 0, waiting: 0 },
  ])
  await letWaitsPass(t.services, journey.id)
  const ended = await untilAtRest(person, journey.id, t.services)
  expect(ended.get('ann@way.example')).toMatchObject({ state: 'done', stepId: 'note', dueAt: null })
  expect(ended.get('ben@way.example')).toMatchObject({ state: 'exited', stepId: 'leave' })
  expect(await api(contacts.get, { params: { id: ann.id } })).toMatchObject({
    attributes: { stage: 'member' },
    lists: [list.id],
  })
  await untilPasses(async () =>
    expect(await api(journeys.get, of)).toMatchObject({ entered: 2, active: 0, ended: 2, sent: 2 }),
  )
  // The second email of the week is one more than the limit of the workspace.
  const again = (await api(journeys.get, of)).steps.find(({ stepId }) => stepId === 'again')?.campaignId ?? ''
  await untilState(person, again, ['sent'])
  expect((await api(campaigns.messages, { params: { id: again }, query: {} })).items).toMatchObject([
    { address: 'ann@way.example', state: 'suppressed', reason: 'frequency_cap' },
  ])
  expect((await api(contactTimeline.show, { params: { id: ann.id }, query: {} })).items).toContainEqual(
    expect.objectContaining({ kind: 'message', state: 'suppressed', detail: 'frequency_cap' }),
  )
})

test('journeys: without emails left in the month contacts wait at their email, and go on when there are more', async () => {
  const person = await t.person({ plan: 'free' })
  const { api, workspaceId } = person
  const use = (emails: number) =>
    sql`insert into usage_months (workspace_id, month, emails)
      values (${workspaceId}, date_trunc('month', now() at time zone 'utc')::date, ${emails})
      on conflict (workspace_id, month) do update set emails = excluded.emails`.execute(t.services.db)
  const ids: string[] = []
  for (const name of ['ann', 'ben', 'cat', 'dan'])
    ids.push((await api(contacts.create, { body: { email: `${name}@limit.example` } })).id)
  await api(suppressions.create, { body: { address: 'dan@limit.example' } })
  const { id } = await activeJourney(person, manual([await emailStep(person, 'hello')]))
  const of = { params: { id } }
  await use(planLimits('free').emails - 1)
  await enrol(person, id, ids.slice(0, 3))
  await untilPasses(async () => {
    const { steps, stateText, ended } = await api(journeys.get, of)
    expect([steps[0]?.waiting, ended, stateText]).toEqual([2, 1, expect.stringContaining('used up')])
  })
  await use(0)
  await enrol(person, id, ids.slice(3))
  await letWaitsPass(t.services, id)
  await untilPasses(async () =>
    expect(await api(journeys.get, of)).toMatchObject({ active: 0, ended: 4, stateText: '', sent: 3 }),
  )
  const campaignId = (await api(journeys.get, of)).steps[0]?.campaignId ?? ''
  expect((await untilState(person, campaignId, ['sent'])).counts).toMatchObject({
    recipients: 4,
    sent: 3,
    suppressed: 1,
  })
})

test.runIf(isLong)(
  'journeys: a batch that was undone is repeated, one that failed is tried again, and each contact gets its email once',
  async () => {
    const person = await t.person()
    const { api } = person
    const { id, steps } = await activeJourney(person, manual([await emailStep(person, 'hello')]))
    const of = { params: { id } }
    const client = await t.services.pool.connect()
    // Holds the email of the step until a batch with a new contact waits for it; returns the process of the batch.
    const whileHeld = async (email: string, then: (pid: number) => Promise<unknown>) => {
      await client.query(`begin; set local deadlock_timeout = '60s'`)
      await client.query('select from campaigns where id = $1 for update', [steps[0]?.campaignId])
      await enrol(person, id, [(await api(contacts.create, { body: { email } })).id])
      const waiting = `select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`
      await then(
        await until(async () => (await client.query<{ pid: number }>(waiting)).rows[0]?.pid, 'a batch that waits'),
      )
      await client.query('rollback')
    }
    try {
      await whileHeld('ann@again.example', (pid) => client.query('select pg_cancel_backend($1)', [pid]))
      await untilPasses(async () => expect((await api(journeys.get, of)).stateText).toBe(TOO_SLOW))
      await letWaitsPass(t.services, id)
      await untilPasses(async () => expect(await api(journeys.get, of)).toMatchObject({ sent: 1, stateText: '' }))
      await untilState(person, steps[0]?.campaignId ?? '', ['sent'])
      // Each waits for what the other holds: the database undoes the batch, and nothing is noted.
      await whileHeld('ben@again.example', () => client.query('select from journeys where id = $1 for update', [id]))
      const after = await until(async () => {
        const journey = await api(journeys.get, of)
        return (journey.stateText !== '' || journey.sent === 2) && journey
      }, 'the second email')
      expect(after).toMatchObject({ stateText: '', active: 0, ended: 2, sent: 2 })
    } finally {
      client.release(true)
    }
    const received = t.sink.received.flatMap(({ to }) => to).filter((to) => to.endsWith('@again.example'))
    expect(received.toSorted()).toEqual(['ann@again.example', 'ben@again.example'])
  },
)

type Step = JourneyDefinition['steps'][number]
interface Known {
  tags: Set<string>
  stage: string
}

/** Where a contact ends by a definition, read as one would read it aloud. */
function follow(steps: Step[], known: Known, goal: string): 'done' | 'goal' | 'exited' {
  for (const step of steps) {
    if (known.tags.has(goal)) return 'goal'
    if (step.kind === 'exit') return 'exited'
    if (step.kind === 'tag') known.tags.add(step.tagId ?? '')
    if (step.kind === 'untag') known.tags.delete(step.tagId ?? '')
    if (step.kind === 'set_field') known.stage = String(step.attributes.stage)
    if (step.kind !== 'branch') continue
    const [condition] = step.filter.items as { field: string; value: string }[]
    const isTrue = condition?.field === 'tag' ? known.tags.has(condition.value) : known.stage === condition?.value
    const end = follow(isTrue ? step.yes : step.no, known, goal)
    if (end !== 'done') return end
  }
  return 'done'
}

/** Whole numbers below `n`, the same for a seed each time. */
function seededDraw(seed: number): (n: number) => number {
  let state = seed * 7_919
  return (n) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

/** Steps drawn by a source of numbers, branches within branches included. */
function drawSteps(draw: (n: number) => number, tagIds: string[], nextId: () => string, depth = 0): Step[] {
  const tagId = () => tagIds[draw(tagIds.length)] ?? ''
  return Array.from({ length: 1 + draw(4) }, (): Step => {
    const id = nextId()
    const kind = draw(depth < 3 ? 11 : 8)
    if (kind < 2) return { id, kind: 'tag', tagId: tagId() }
    if (kind < 4) return { id, kind: 'untag', tagId: tagId() }
    if (kind < 6) return { id, kind: 'set_field', attributes: { stage: ['new', 'old'][draw(2)] ?? '' } }
    if (kind === 6) return { id, kind: 'wait', amount: 1, unit: 'hours' }
    if (kind === 7) return draw(4) === 0 ? { id, kind: 'exit' } : { id, kind: 'wait', amount: 2, unit: 'days' }
    const condition = draw(2)
      ? { field: 'tag', is: 'equal', value: tagId() }
      : { field: 'attributes.stage', is: 'equal', value: 'new' }
    const inner = () => (draw(4) === 0 ? [] : drawSteps(draw, tagIds, nextId, depth + 1))
    return { id, kind: 'branch', filter: { op: 'and', items: [condition] }, yes: inner(), no: inner() }
  })
}

test('journeys: of any definition contacts end where it says, with the tags and fields it gives them', async () => {
  const check = async (seed: number, person: Person) => {
    const draw = seededDraw(seed)
    const { api } = person
    const tagIds: string[] = []
    for (const name of ['A', 'B', 'C', 'Goal']) tagIds.push((await api(tags.create, { body: { name } })).id)
    const goal = tagIds[3] ?? ''
    let steps = 0
    const definition = manual(
      drawSteps(draw, tagIds, () => `s${steps++}`),
      {
        goal: { op: 'and', items: [{ field: 'tag', is: 'equal', value: goal }] },
      },
    )
    const people: { id: string; email: string; known: Known }[] = []
    for (let n = 0; n < 4; n++) {
      const known: Known = {
        tags: new Set(tagIds.slice(0, 3).filter(() => draw(2))),
        stage: ['new', 'old'][draw(2)] ?? '',
      }
      const email = `p${n}@drawn${seed}.example`
      const body = { email, tags: [...known.tags], attributes: { stage: known.stage } }
      people.push({ ...(await api(contacts.create, { body })), email, known })
    }
    const { id } = await activeJourney(person, definition)
    await enrol(
      person,
      id,
      people.map((one) => one.id),
    )
    await until(async () => {
      await letWaitsPass(t.services, id)
      await untilAtRest(person, id, t.services)
      return (await api(journeys.get, { params: { id } })).active === 0
    }, 'the end of all')
    const ended = await untilAtRest(person, id, t.services)
    for (const { id, email, known } of people) {
      const state = follow(definition.steps, known, goal)
      const about = `${seed} ${email} ${JSON.stringify(definition.steps)}`
      expect(ended.get(email)?.state, about).toBe(state)
      const contact = await api(contacts.get, { params: { id } })
      expect([new Set(contact.tags), contact.attributes.stage], about).toEqual([known.tags, known.stage])
    }
  }
  const people: Person[] = []
  for (let n = 0; n < 6; n++) people.push(await t.person())
  await Promise.all(people.map((person, n) => check(n + 1, person)))
})
