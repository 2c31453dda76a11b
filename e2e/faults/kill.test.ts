import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ApiClient } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { connectTo, killOne, untilReady, VICTIMS } from '../support/postgres-processes.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { seededRandom } from '../support/random.ts'
import { recipientAddress, sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

// So slow a sender that every kill falls amid the sending.
const [COUNT, TIMES, PER_SECOND] = isLong ? [5_000, 20, null] : [600, 3, 100]
const CONNECTIONS = 10
const random = seededRandom()
// Random moments, some of them while the server is still starting: a failure shows them.
const MARKS = Array.from({ length: TIMES }, () => random(50, COUNT - 50)).sort((a, b) => a - b)
const FIRST_VICTIM = random(0, VICTIMS.length)
const KILLS = MARKS.map((mark, index) => ({
  mark,
  victim: VICTIMS[(FIRST_VICTIM + index) % VICTIMS.length] ?? 'server',
}))
// What is killed with the server process may be in flight; while only the database is away, its answer is waited for.
const SERVER_KILLS = KILLS.filter(({ victim }) => victim === 'server' || victim === 'everything').length

/** Contacts who begin to enter a journey right before each kill. */
const ENTERING = 40

/** A journey of an email and a tag, and the contacts who will enter it, in portions. */
async function prepareJourney(api: ApiClient) {
  const tag = await api(tags.create, { body: { name: 'Went through' } })
  const template = await api(templates.create, { body: { name: 'Hello', subject: 'Hello', html: '<p>Hello</p>' } })
  const email = { id: 'hello', kind: 'email' as const, name: 'Hello', subject: '', templateId: template.id }
  const definition = {
    trigger: { kind: 'manual' as const },
    steps: [email, { id: 'tag', kind: 'tag' as const, tagId: tag.id }],
  }
  const { id } = await api(journeys.create, { body: { name: 'Journey', definition } })
  await api(journeys.activate, { params: { id } })
  const portions: string[][] = []
  for (let portion = 0; portion < TIMES; portion++) {
    const ids: string[] = []
    for (let n = 0; n < ENTERING; n++)
      ids.push((await api(contacts.create, { body: { email: `w${portion}-${n}@journey.example` } })).id)
    portions.push(ids)
  }
  return { id, portions, tagId: tag.id }
}

test(`campaign and journey: after ${TIMES} kills of server or database, everybody has one email or is unconfirmed, and went through`, async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('kill')
  // Both sending threads of a process are killed amid their claims.
  const environment = {
    ...{ DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url },
    SENDING_THREADS: '2',
  }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const [sender] = (await api(senders.list, { query: {} })).items
    await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond: PER_SECOND } } })
    const journey = await prepareJourney(api)
    const id = await sendTo(api, await uploadPeople(api, COUNT))
    for (const { mark, victim } of KILLS) {
      await sink.waitForCount(mark, 120)
      const contactIds = journey.portions.pop() ?? []
      await api(journeys.enrol, { params: { id: journey.id }, body: { contactIds } })
      await killOne(victim, dataDir, server.pid)
      if (victim === 'server' || victim === 'everything') {
        await server.exited
        server = startServer(environment)
        await server.ready
        api = await signIn(server.url)
      } else await untilReady(server.url)
      const { counts } = await api(campaigns.get, { params: { id } })
      expect(
        counts.queued +
          counts.sent +
          counts.deferred +
          counts.failed +
          counts.bounced +
          counts.suppressed +
          counts.unconfirmed,
        `after the kill of ${victim} at ${mark} of ${MARKS}`,
      ).toBe(COUNT)
    }
    const { state, counts } = await untilSent(api, id, 120)
    expect(state).toBe('sent')
    expect(counts.sent + counts.unconfirmed).toBe(COUNT)
    expect(counts.unconfirmed).toBeLessThanOrEqual(CONNECTIONS * SERVER_KILLS)

    const all = TIMES * ENTERING
    const through = await until(async () => {
      const now = await api(journeys.get, { params: { id: journey.id } })
      return now.ended === all && now
    }, 'everybody at the end of the journey')
    expect(through.steps).toMatchObject([
      { entered: all, waiting: 0 },
      { entered: all, waiting: 0 },
    ])
    expect((await api(tags.get, { params: { id: journey.tagId } })).contacts).toBe(all)
    const emails = await untilSent(api, through.steps[0]?.campaignId ?? '', 120)
    expect(emails.counts).toMatchObject({ recipients: all })
    expect(emails.counts.sent + emails.counts.unconfirmed).toBe(all)

    const copies = new Map<string, number>()
    for (const { to } of sink.received) for (const address of to) copies.set(address, (copies.get(address) ?? 0) + 1)
    expect([...copies].filter(([, count]) => count > 1)).toEqual([])
    const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'unconfirmed', limit: 200 } })
    expect(items).toHaveLength(counts.unconfirmed)
    const unknown = new Set(items.map((item) => item.address))
    const missing = Array.from({ length: COUNT }, (_, i) => recipientAddress(i + 1)).filter(
      (address) => !copies.has(address),
    )
    expect(missing.filter((address) => !unknown.has(address))).toEqual([])
    expect(await server.stop('SIGTERM')).toBe(0)
    const each = VICTIMS.map((victim) => `${victim} ${KILLS.filter((kill) => kill.victim === victim).length}`).join(
      ', ',
    )
    console.log(`killed: ${each}; of ${COUNT} sent ${counts.sent}, unconfirmed ${counts.unconfirmed}, twice 0`)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 900_000)

const FILLERS = 10_000

test('campaign: a launch killed between its slices continues at the next start, and everybody gets one email', async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('launch')
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const listId = await uploadPeople(api, 20)
    const blocker = await connectTo(dataDir)
    // A slice and more whom nobody writes to, as cheap recipients.
    await blocker.query(`insert into suppressions (workspace_id, address, address_key, reason)
      select id, '@never.example', '@never.example', 'manual' from workspaces`)
    await blocker.query(`with added as (
      insert into contacts (workspace_id, email, email_key, name)
      select w.id, 'n' || n || '@never.example', 'n' || n || '@never.example', '' from workspaces w, generate_series(1, ${FILLERS}) n
      returning workspace_id, id)
      insert into list_members (workspace_id, list_id, contact_id) select workspace_id, ${listId}, id from added`)
    // The last slice waits for as long as this connection lives.
    await blocker.query('select pg_advisory_lock(7003)')
    await blocker.query(`create function hold() returns trigger language plpgsql as $$ begin
      if (select count(*) from messages) >= ${FILLERS} then perform pg_advisory_xact_lock_shared(7003); end if; return null; end $$`)
    await blocker.query('create trigger hold after insert on messages for each statement execute function hold()')
    const id = await sendTo(api, listId)
    const waits = () =>
      blocker.query(`select from pg_locks where locktype = 'advisory' and objid = 7003 and not granted`)
    await until(async () => (await waits()).rowCount !== 0, 'a launch amid its slices')
    expect((await api(campaigns.get, { params: { id } })).counts.recipients).toBe(0)
    await killOne('server', dataDir, server.pid)
    await server.exited
    server = startServer(environment)
    await server.ready
    api = await signIn(server.url)
    const { state, counts } = await untilSent(api, id, 120)
    expect({ state, counts }).toMatchObject({
      state: 'sent',
      counts: { recipients: 20 + FILLERS, sent: 20, suppressed: FILLERS, queued: 0 },
    })
    expect(new Set(sink.received.flatMap(({ to }) => to)).size).toBe(20)
    expect(sink.received).toHaveLength(20)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 600_000)
