import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { fields } from '#contracts/contacts/fields.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { contactMerges } from '#contracts/contacts/merges.ts'
import { tags } from '#contracts/contacts/tags.ts'
import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { activeJourney, emailStep, enrol, manual, untilAtRest } from '#server/testing/journey.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { holdRestoredJourneys } from './store.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const WAIT = { id: 'pause', kind: 'wait', amount: 3, unit: 'days' } as const

async function untilDone({ api }: Person, jobId: string) {
  return until(async () => {
    const job = await api(jobs.get, { params: { id: jobId } })
    return job.state === 'done' && job
  }, 'the end of a job')
}

test('journeys: a draft is created, changed, activated, paused, archived and deleted, each in its state only', async () => {
  const { api } = await t.person()
  const tag = await api(tags.create, { body: { name: 'Seen' } })
  const { id, ...draft } = await api(journeys.create, { body: { name: 'Welcome', definition: manual([WAIT]) } })
  const of = { params: { id } }
  expect(draft).toMatchObject({
    state: 'draft',
    entered: 0,
    problems: [],
    activatedAt: null,
    definition: manual([WAIT]),
  })
  const { version } = draft
  const body = { name: 'Hello', definition: manual([{ id: 'seen', kind: 'tag', tagId: tag.id }]) }
  const saved = await api(journeys.update, { ...of, body: { ...body, version } })
  expect(saved).toMatchObject(body)
  expect((await api(journeys.get, of)).version).toBe(saved.version)
  // Another tab that still has the steps of before does not overwrite them.
  await expect(api(journeys.update, { ...of, body: { name: 'Old', version } })).rejects.toMatchObject({
    status: 409,
    code: 'version_conflict',
  })
  await expect(api(journeys.pause, of)).rejects.toMatchObject({ status: 409, code: 'wrong_state' })
  await expect(api(journeys.enrol, { ...of, body: { contactIds: ['1'] } })).rejects.toMatchObject({
    code: 'not_active',
  })
  expect(await api(journeys.activate, of)).toMatchObject({ state: 'active', activatedAt: expect.any(String) })
  await expect(api(journeys.update, { ...of, body })).rejects.toMatchObject({ status: 409, code: 'active' })
  await expect(api(journeys.remove, of)).rejects.toMatchObject({ status: 409, code: 'running' })
  expect((await api(journeys.pause, of)).state).toBe('paused')
  expect((await api(journeys.activate, of)).state).toBe('active')
  await holdRestoredJourneys(t.services.db, new Date('2026-05-01T10:00:00Z'))
  const restored = await api(journeys.get, of)
  expect([restored.state, restored.stateText]).toEqual(['paused', expect.stringContaining('1 May 2026, 10:00 UTC')])
  expect(await api(journeys.activate, of)).toMatchObject({ state: 'active', stateText: '' })
  expect((await api(journeys.list, { query: {} })).items).toMatchObject([{ id, name: 'Hello', state: 'active' }])
  expect((await api(journeys.update, { ...of, body: { state: 'archived' } })).state).toBe('archived')
  await expect(api(journeys.activate, of)).rejects.toMatchObject({ status: 409, code: 'archived' })
  expect((await api(journeys.list, { query: {} })).items).toEqual([])
  expect((await api(journeys.list, { query: { state: 'archived' } })).items).toHaveLength(1)
  await api(journeys.remove, of)
  await expect(api(journeys.get, of)).rejects.toMatchObject({ status: 404 })
})

test('journeys: a definition is refused with the field that is wrong, and activation names everything that is missing', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const theirs = await other.api(tags.create, { body: { name: 'Theirs' } })
  const create = (definition: unknown) =>
    person.api(journeys.create, { body: { name: 'J', definition: definition as JourneyDefinition } })
  const deep = (levels: number): unknown =>
    levels === 0
      ? []
      : [{ id: `b${levels}`, kind: 'branch', filter: { op: 'and', items: [] }, yes: deep(levels - 1), no: [] }]
  const cases: [unknown, string][] = [
    [manual([{ id: 'a', kind: 'tag', tagId: theirs.id }]), 'definition.steps.0.tagId'],
    [manual([WAIT, WAIT]), 'definition.steps.1.id'],
    [manual([{ ...WAIT, amount: 366 }]), 'definition.steps.0.amount'],
    [{ ...manual([]), steps: deep(9) }, 'definition.steps.0.yes.0.yes.0.yes.0.yes.0.yes.0.yes.0.yes.0.yes.0'],
    [manual(Array.from({ length: 101 }, (_, n) => ({ ...WAIT, id: `w${n}` }))), 'definition.steps'],
    [
      manual([], { goal: { op: 'and', items: [{ field: 'tag', is: 'equal', value: theirs.id }] } }),
      'definition.goal.items.0.value',
    ],
  ]
  for (const [definition, field] of cases)
    await expect(create(definition), field).rejects.toMatchObject({ status: 400, details: [{ field }] })
  const list = await person.api(lists.create, { body: { name: 'Club' } })
  const email = { ...(await emailStep(person, 'mail', '')), templateId: null }
  const unready = await create(
    manual([email, { id: 'club', kind: 'add_to_list', listId: list.id }, { id: 'open', kind: 'tag', tagId: null }]),
  )
  await person.api(lists.remove, { params: { id: list.id } })
  const of = { params: { id: unready.id } }
  const fields = ['steps.2.tagId', 'steps.0.templateId', 'steps.1.listId', 'steps.0.subject']
  const { problems } = await person.api(journeys.get, of)
  expect(problems.map(({ field }) => field).toSorted()).toEqual(fields.toSorted())
  await expect(person.api(journeys.activate, of)).rejects.toMatchObject({ status: 409, code: 'not_ready' })
  const broken = await create(manual([await emailStep(person, 'bad', '{{ name | nonsense }}')]))
  await expect(person.api(journeys.activate, { params: { id: broken.id } })).rejects.toMatchObject({
    status: 409,
    details: [{ field: 'definition.steps.0' }],
  })
})

test('journeys: emails are campaigns of their own that no list shows; other content is another campaign, the same is not', async () => {
  const person = await t.person()
  const { api } = person
  const step = await emailStep(person, 'hello')
  const draft = await api(journeys.create, { body: { name: 'Journey', definition: manual([step, WAIT]) } })
  const test = (stepId: string, to = 'me@journey-test.example') =>
    api(journeys.test, { params: { id: draft.id }, body: { stepId, to } })
  await expect(test('pause')).rejects.toMatchObject({ status: 400, details: [{ field: 'stepId' }] })
  await expect(test('hello', 'nobody')).rejects.toMatchObject({ status: 400, details: [{ field: 'to' }] })
  expect(await test('hello')).toMatchObject({ ok: true })
  expect((await t.sink.mailTo('me@journey-test.example')).subject).toBe('[Test] Hello Robin Example')
  expect(await t.services.db.selectFrom('campaigns').where('journeyId', '=', draft.id).select('id').execute()).toEqual(
    [],
  )
  const { id, steps } = await api(journeys.activate, { params: { id: draft.id } })
  const campaignId = steps[0]?.campaignId ?? ''
  const of = { params: { id } }
  expect(await api(campaigns.get, { params: { id: campaignId } })).toMatchObject({ name: step.name, state: 'sent' })
  expect((await api(campaigns.list, { query: {} })).items).toEqual([])
  for (const call of [campaigns.cancel, campaigns.remove])
    await expect(api(call, { params: { id: campaignId } })).rejects.toMatchObject({ code: 'journey_email' })
  const [sender] = (await api(senders.list, { query: {} })).items
  await expect(api(senders.remove, { params: { id: sender?.id ?? '' } })).rejects.toMatchObject({ status: 409 })
  const again = async (subject: string) => {
    await api(journeys.pause, of)
    await api(journeys.update, { ...of, body: { definition: manual([{ ...step, subject }]) } })
    return (await api(journeys.activate, of)).steps[0]?.campaignId
  }
  expect(await again('')).toBe(campaignId)
  expect(await again('Another subject')).not.toBe(campaignId)
  expect(
    await t.services.db
      .selectFrom('campaigns')
      .where('journeyId', '=', id)
      .where('state', '=', 'draft')
      .select('id')
      .execute(),
  ).toEqual([])
})

test('journeys: people follow their contacts: removed, put back, merged and parted again', async () => {
  const person = await t.person()
  const { api } = person
  const add = (email: string) => api(contacts.create, { body: { email } })
  const [ann, ben, cat] = [
    await add('ann@follow.example'),
    await add('ben@follow.example'),
    await add('cat@follow.example'),
  ]
  const [both, one] = [await activeJourney(person, manual([WAIT])), await activeJourney(person, manual([WAIT]))]
  await enrol(person, both.id, [ann.id, ben.id, cat.id])
  await enrol(person, one.id, [ben.id])
  const who = async (id: string) =>
    [...(await untilAtRest(person, id, t.services)).keys()].map((email) => email?.slice(0, 3)).toSorted()
  const before = (await untilAtRest(person, both.id, t.services)).get('cat@follow.example')
  const { jobId } = await api(contactsBulk.start, { body: { ids: [cat.id], action: 'delete' } })
  await untilDone(person, jobId)
  expect(await who(both.id)).toEqual(['ann', 'ben'])
  const undo = await api(jobs.undo, { params: { id: jobId } })
  await untilDone(person, undo.jobId)
  expect((await untilAtRest(person, both.id, t.services)).get('cat@follow.example')).toEqual(before)
  const { mergeId } = await api(contactMerges.merge, { params: { id: ann.id }, body: { otherId: ben.id } })
  expect([await who(both.id), await who(one.id)]).toEqual([['ann', 'cat'], ['ann']])
  await api(contactMerges.undo, { params: { id: ann.id }, body: { mergeId } })
  expect([await who(both.id), await who(one.id)]).toEqual([['ann', 'ben', 'cat'], ['ben']])
  await api(contacts.erase, { params: { id: ben.id } })
  expect([await who(both.id), await who(one.id)]).toEqual([['ann', 'cat'], []])
  expect(await api(journeys.get, { params: { id: both.id } })).toMatchObject({ entered: 3, active: 2, ended: 1 })
  // Nobody stays behind at a step that is gone, or in an archived journey.
  await api(journeys.pause, { params: { id: both.id } })
  await api(journeys.update, { params: { id: both.id }, body: { definition: manual([{ ...WAIT, id: 'other' }]) } })
  await api(journeys.update, { params: { id: one.id }, body: { state: 'archived' } })
  await untilPasses(async () => expect((await api(journeys.get, { params: { id: both.id } })).active).toBe(0))
})

test('journeys: a field that one sets or asks for stays named as it is', async () => {
  const person = await t.person()
  const { id } = await person.api(fields.create, { body: { name: 'stage' } })
  await person.api(journeys.create, {
    body: { name: 'Stages', definition: manual([{ id: 'set', kind: 'set_field', attributes: { stage: 'new' } }]) },
  })
  expect((await person.api(fields.uses, { params: { id } })).items).toMatchObject([{ kind: 'journey', name: 'Stages' }])
})
