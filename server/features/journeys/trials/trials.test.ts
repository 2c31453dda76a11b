import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { events } from '#contracts/contacts/events.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import type { JourneyDefinition, JourneyStep } from '#contracts/journeys/definition.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { journeyTrials } from '#contracts/journeys/trials.ts'
import { evaluate, type PlainContact } from '#server/features/contacts/segments/evaluate.fixture.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { emailStep, manual } from '#server/testing/journey.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const all = (field: string, is: string, value?: string | number): ContactFilter => ({
  op: 'and',
  items: [{ field, is, ...(value !== undefined && { value }) }],
})

test('simulation: branches see what steps before them do and when a contact gets there, and nothing is stored', async () => {
  const person = await t.person()
  const { api } = person
  const tag = await api(tags.create, { body: { name: 'VIP' } })
  const steps: JourneyStep[] = [
    { id: 'vip', kind: 'tag', tagId: tag.id },
    {
      ...{ id: 'is-vip', kind: 'branch', filter: all('tag', 'equal', tag.id), no: [{ id: 'leave', kind: 'exit' }] },
      yes: [{ id: 'rest', kind: 'wait', amount: 10, unit: 'days' }],
    },
    { id: 'is-new', kind: 'branch', filter: all('createdAt', 'inLast', 5), yes: [{ id: 'bye', kind: 'exit' }], no: [] },
    await emailStep(person, 'hello'),
    { id: 'note', kind: 'set_field', attributes: { stage: 'end' } },
    await emailStep(person, 'last'),
  ]
  const definition = manual(steps, { entryFilter: all('attributes.plan', 'equal', 'gold') })
  const { id } = await api(journeys.create, { body: { name: 'Trial', definition } })
  const of = { params: { id } }
  await expect(api(journeyTrials.simulate, { ...of, body: {} })).rejects.toMatchObject({
    status: 409,
    code: 'no_contacts',
  })
  const ann = await api(contacts.create, { body: { email: 'ann@trial.example' } })
  const simulate = () => api(journeyTrials.simulate, { ...of, body: { contactId: ann.id } })
  const first = await simulate()
  // Without a choice it is the newest contact.
  expect((await api(journeyTrials.simulate, { ...of, body: {} })).contactId).toBe(ann.id)
  expect(first.path.map(({ stepId, outcome }) => `${stepId} ${outcome}`)).toEqual([
    'vip ',
    'is-vip yes',
    'rest ',
    'is-new no',
    'hello ',
    'note ',
    'last ',
  ])
  expect(first).toMatchObject({ contactId: ann.id, obstacle: 'entry_filter', end: 'done' })
  const [begin, , , later] = first.path.map(({ at }) => Date.parse(at))
  expect((later ?? 0) - (begin ?? 0)).toBe(10 * 86_400_000)
  const { updatedAt: _, ...before } = ann
  expect(await api(contacts.get, { params: { id: ann.id } })).toMatchObject({ ...before, tags: [], attributes: {} })
  await api(suppressions.create, { body: { address: 'ann@trial.example', reason: 'unsubscribe' } })
  const goal = all('attributes.stage', 'equal', 'end')
  await api(journeys.update, { params: { id }, body: { definition: { ...definition, goal, entryFilter: null } } })
  const second = await simulate()
  expect(second.path.slice(4)).toMatchObject([
    { outcome: 'unsubscribed' },
    { stepId: 'note' },
    { stepId: 'last', outcome: '' },
  ])
  expect(second).toMatchObject({ obstacle: null, end: 'goal' })
  await expect(api(journeyTrials.simulate, { params: { id }, body: { contactId: '999999999' } })).rejects.toMatchObject(
    { status: 400 },
  )
  await expect(api(journeyTrials.replay, { params: { id }, body: { days: 3 } })).rejects.toMatchObject({
    status: 409,
    code: 'no_trigger',
  })
})

const plain = (given: Pick<PlainContact, 'name' | 'attributes'>): PlainContact => ({
  ...{
    email: null,
    phone: null,
    source: 'api',
    createdAt: new Date(),
    lists: {},
    since: {},
    tags: [],
    suppressed: null,
  },
  ...{ messages: [], events: [] },
  ...given,
})

const filters = fc.oneof(
  fc.constantFrom('Ann', 'Ben', 'Cem').map((name) => all('name', 'equal', name)),
  fc.constantFrom('gold', 'free').map((plan) => all('attributes.plan', 'notEqual', plan)),
)
let lastStep = 0
const stepId = fc.constant(null).map(() => `s${++lastStep}`)
const { steps: arbitrarySteps } = fc.letrec<{ steps: JourneyStep[]; step: JourneyStep }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 3, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'steps' },
    fc.constantFrom('wait', 'exit', 'set').chain((kind) =>
      stepId.map((id): JourneyStep => {
        if (kind === 'wait') return { id, kind, amount: 1, unit: 'days' }
        return kind === 'exit' ? { id, kind } : { id, kind: 'set_field', attributes: { plan: 'gold' } }
      }),
    ),
    fc.record({
      id: stepId,
      kind: fc.constant('branch' as const),
      filter: filters,
      yes: tie('steps'),
      no: tie('steps'),
    }),
  ),
}))

/** Counts the steps of one contact; returns whether it goes on after them. */
function walk(steps: JourneyStep[], is: (filter: ContactFilter) => boolean, count: (id: string) => boolean): boolean {
  for (const step of steps) {
    if (!count(step.id) || step.kind === 'exit') return false
    if (step.kind === 'branch' && !walk(is(step.filter) ? step.yes : step.no, is, count)) return false
  }
  return true
}

test('replay: it counts what a plain evaluator counts', async () => {
  const { api, workspaceId } = await t.person()
  const list = await api(lists.create, { body: { name: 'News' } })
  const people = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const given = { name: ['Ann', 'Ben', 'Cem'][n % 3] ?? '', attributes: { plan: n % 2 ? 'gold' : 'free' } }
      const email = `p${n}@replay.example`
      const { id } = await api(contacts.create, { body: { ...given, email, lists: n < 9 ? [list.id] : [] } })
      if (n > 5) await api(events.record, { body: { name: 'Bought', contactId: id } })
      return { n, id, ...plain(given) }
    }),
  )
  // Before the last days.
  await t.services.db
    .updateTable('listMembers')
    .set({ at: new Date(Date.now() - 5 * 86_400_000) })
    .where('workspaceId', '=', workspaceId)
    .where('contactId', '=', people[0]?.id ?? '')
    .execute()
  const draft = { name: 'Replay', definition: manual([]) }
  const { id } = await api(journeys.create, { body: draft })
  const triggers: [JourneyDefinition['trigger'], (n: number) => boolean][] = [
    [{ kind: 'joined_list', listId: list.id }, (n) => n > 0 && n < 9],
    [{ kind: 'event', name: 'Bought' }, (n) => n > 5],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...triggers),
      arbitrarySteps,
      fc.option(filters),
      fc.option(filters),
      async ([trigger, isAbout], steps, entryFilter, goal) => {
        const counts = new Map<string, number>()
        let entered = 0
        for (const one of people) {
          const is = (filter: ContactFilter) => evaluate(one, filter, new Date())
          if (!isAbout(one.n) || (entryFilter && !is(entryFilter))) continue
          entered++
          walk(steps, is, (id) => {
            counts.set(id, (counts.get(id) ?? 0) + 1)
            return !(goal && is(goal))
          })
        }
        await api(journeys.update, { params: { id }, body: { definition: { trigger, entryFilter, goal, steps } } })
        const replay = await api(journeyTrials.replay, { params: { id }, body: { days: 3 } })
        expect(replay.entered).toBe(entered)
        expect(replay.steps.filter((step) => step.entered > 0)).toEqual(
          replay.steps.flatMap(({ stepId }) => (counts.has(stepId) ? [{ stepId, entered: counts.get(stepId) }] : [])),
        )
        expect([...counts.values()].reduce((sum, n) => sum + n, 0)).toBe(
          replay.steps.reduce((sum, step) => sum + step.entered, 0),
        )
        expect(replay.sample).toHaveLength(Math.min(10, entered))
      },
    ),
    { numRuns: 25 },
  )
})
