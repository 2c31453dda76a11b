import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { journalHome } from '#server/engine/index.ts'
import { bootId } from '#server/platform/process-identity.ts'
import { testApp } from '#server/testing/app.ts'
import { draftTo, listWith } from '#server/testing/campaign.ts'
import { emailReach } from '../../channels/email/slice.ts'
import { claimMessages } from '../claims.ts'
import { recover } from '../recover.ts'
import { failHeld, hold, newPulse, watch } from './watchdog.ts'

afterEach(() => vi.useRealTimers())

test('watchdog: a message that blocks the thread fails, and the others are sent', async () => {
  await using t = await testApp({ environment: { ROLE: 'web' } })
  const person = await t.person()
  const { db } = t.services
  const { id } = await draftTo(person, await listWith(t.services, person, 3))
  await sql`update campaigns set state = 'paused', audience_at = now(), plan = '{}' where id = ${id}`.execute(db)
  await sql`insert into messages (workspace_id, campaign_id, contact_id, address, state, due_at)
    select workspace_id, ${id}, id, email, 'queued', now() from contacts where workspace_id = ${person.workspaceId} order by id`.execute(
    db,
  )
  const folder = mkdtempSync(join(t.dataDir, 'journal-'))
  const home = journalHome(folder)
  const campaign = { id, workspaceId: person.workspaceId, tellsOrigins: false }
  const worker = `worker:${bootId()}`
  const claim = await claimMessages({ db, worker, home }, campaign, { reach: emailReach, limit: 10 })
  const [handed, untouched, held] = (claim?.messages ?? []).map(({ id }) => id) as [string, string, string]

  const pulse = newPulse()
  const workerData = { pulse, folder, claimId: claim?.id, handed, held }
  const thread = new Worker(new URL('./hanging.fixture.ts', import.meta.url), { workerData })
  const ended = once(thread, 'exit')
  await once(thread, 'message')
  const stop = watch(pulse, () => void thread.terminate(), 20)
  await ended
  stop()
  expect(failHeld(folder, pulse)).toBe(held)
  await recover({
    db,
    folder,
    home,
    claims: { has: () => false },
    alone: true,
    isGone: () => true,
    log: t.services.log,
  })

  const rows = await db.selectFrom('messages').where('campaignId', '=', id).select(['id', 'state', 'reason']).execute()
  const findState = (id: string) => rows.find((row) => row.id === id)
  expect(findState(held)).toMatchObject({ state: 'failed', reason: 'content' })
  expect(findState(untouched)).toMatchObject({ state: 'queued' })
  expect(findState(handed)).toMatchObject({ state: 'unconfirmed' })
})

test('watchdog: a thread is silent after 30 seconds with a message, later without one', () => {
  vi.useFakeTimers()
  const seconds = (pulse: ReturnType<typeof newPulse>) => {
    let silent = false
    const stop = watch(pulse, () => {
      silent = true
    })
    let passed = 0
    for (; !silent && passed < 200; passed++) vi.advanceTimersByTime(1_000)
    stop()
    return passed
  }
  const busy = newPulse()
  hold(busy, '1', '2')
  expect(seconds(busy)).toBe(31)
  expect(seconds(newPulse())).toBe(121)
  const alive = newPulse()
  hold(alive, '1', '2')
  const beats = setInterval(() => Atomics.add(alive, 0, 1n), 20_000)
  expect(seconds(alive)).toBe(200)
  clearInterval(beats)
})

test('watchdog: a machine that slept for an hour does not end a thread', () => {
  vi.useFakeTimers()
  const pulse = newPulse()
  hold(pulse, '1', '2')
  let silent = false
  const stop = watch(pulse, () => {
    silent = true
  })
  vi.advanceTimersByTime(20_000)
  vi.setSystemTime(Date.now() + 3_600_000)
  vi.advanceTimersByTime(2_000)
  expect(silent).toBe(false)
  stop()
})
