import { readFileSync } from 'node:fs'
import type { SampleData } from '#contracts/samples/samples.ts'
import { CompileError, type Plan } from '#server/engine/index.ts'
import { addSampleCampaign, removeSampleCampaigns } from '#server/features/campaigns/index.ts'
import { addSampleContacts, removeSampleContacts, suppressSamples } from '#server/features/contacts/index.ts'
import { addSampleTemplate, compileBounded, removeSampleTemplates } from '#server/features/templates/index.ts'
import { addSampleEvents } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, notFound, tooMany } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { PEOPLE } from './people.ts'
import { findSamples, lockWorkspace } from './store.ts'
import { findEnd, findStart, tellFate } from './story.ts'

/** Each begins with the word: wherever one is listed, its name says what it is. */
const NAMES = { list: 'Sample contacts', template: 'Sample template', campaign: 'Sample campaign' }
const SUBJECT = 'Two new coffees, and a Saturday to try them'
/** How long before the campaign the rest was added. */
const BEFORE_MS = 5 * 86_400_000
const RETRY_AFTER_SECONDS = 5

const MJML = readFileSync(new URL('email.mjml', import.meta.url), 'utf8')

/** Whether a workspace has sample data, and what it is. */
export const showSamples = (db: Db, workspaceId: string): Promise<SampleData> => findSamples(db, workspaceId)

async function compile({ config }: Services, workspaceId: string): Promise<Plan> {
  const compiled = compileBounded(
    { workspaceId, isOwn: true },
    {
      subject: SUBJECT,
      mjml: MJML,
      from: { name: 'Harbor Coffee', address: 'hello@harbor-coffee.example.com' },
      trackOpens: true,
      trackClicks: true,
      publicUrl: config.publicUrl,
      footer: { company: 'Harbor Coffee', postalAddress: '12 Quay Street, Example Town' },
      listId: `w${workspaceId}.l0`,
      feedbackId: `w${workspaceId}:sample:postlark`,
    },
  )
  return compiled.catch((error) => {
    // The template is ours and has no errors: the server had too little time for it.
    if (error instanceof CompileError) throw tooMany('The server is busy. Try again in a moment.', RETRY_AFTER_SECONDS)
    throw error
  })
}

/** Adds the sample data, once however many ask at the same moment. Throws Refusal 409 where there is some. */
export async function addSamples(services: Services, workspaceId: string): Promise<SampleData> {
  const { db, config } = services
  const plan = await compile(services, workspaceId)
  return db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    if ((await findSamples(db, workspaceId)).isPresent)
      throw conflict('sample_data_present', 'This workspace already has sample data. Remove it to add it again.')
    // A sample campaign that the user deleted is hidden only.
    await clear(db, config, workspaceId)
    await write(db, workspaceId, plan)
    return findSamples(db, workspaceId)
  })
}

async function write(db: Db, workspaceId: string, plan: Plan): Promise<void> {
  const start = findStart(new Date())
  const before = new Date(start.getTime() - BEFORE_MS)
  const all = PEOPLE.map((person, place) => ({ ...person, ...tellFate(place, person.email, start) }))
  const templateId = await addSampleTemplate(
    db,
    workspaceId,
    { name: NAMES.template, subject: SUBJECT, mjml: MJML },
    before,
  )
  const { listId, ids } = await addSampleContacts(db, workspaceId, NAMES.list, all, before)
  const recipients = all.flatMap(({ email: address, state, reason, response, at, events }) => {
    const contactId = ids.get(address)
    return contactId ? [{ message: { contactId, address, state, reason, response, at }, events }] : []
  })
  const { campaignId, messageIds } = await addSampleCampaign(
    db,
    workspaceId,
    {
      ...{ name: NAMES.campaign, plan, templateId, listId },
      ...{ startedAt: start, finishedAt: findEnd(start, all.length) },
    },
    recipients.map(({ message }) => message),
  )
  const links = plan.links.length
  await addSampleEvents(
    db,
    { workspaceId, campaignId, links },
    recipients.map(({ message, events }, n) => ({ id: messageIds[n] ?? '', sentAt: message.at, events })),
  )
  await suppressSamples(
    db,
    workspaceId,
    campaignId,
    all.filter(({ email }) => ids.has(email)),
  )
}

/** Campaigns first: they refer to the template and the list. */
async function clear(db: Db, config: Services['config'], workspaceId: string): Promise<void> {
  await removeSampleCampaigns(db, workspaceId)
  await removeSampleTemplates(db, workspaceId)
  await removeSampleContacts(
    db,
    config,
    workspaceId,
    PEOPLE.map(({ email }) => email),
  )
}

/** Removes the sample data; what became the user's stays. Throws Refusal 404 where there is none. */
export async function removeSamples({ db, config }: Services, workspaceId: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    if (!(await findSamples(db, workspaceId)).isPresent) throw notFound('Sample data')
    await clear(db, config, workspaceId)
  })
}
