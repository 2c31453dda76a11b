import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { sharedApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { windowAt } from './window.ts'

const HOUR = 3_600_000
/** A time zone whose clocks show noon now, and one where it is midnight. */
function findZones(): { noon: string; midnight: string } {
  const hour = new Date().getUTCHours()
  const zone = (wanted: number) => {
    const offset = ((((wanted - hour) % 24) + 36) % 24) - 12
    return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
  }
  return { noon: zone(12), midnight: zone(0) }
}

const days = [1, 2, 3, 4, 5, 6, 7]

test('sending hours: an email campaign waits for them and says until when, a draft names an unknown zone or field to a 400', async () => {
  const t = await sharedApp()
  const ada = await t.person()
  const { noon, midnight } = findZones()
  const window: SendingWindow = { days, from: '10:00', to: '14:00', timeZone: midnight }
  const { id } = await draftTo(ada, await listWith(t.services, ada, 2))
  const params = { id }
  await expect(
    ada.api(campaigns.update, { params, body: { window: { ...window, timeZone: 'Mars/Base' } } }),
  ).rejects.toMatchObject({ status: 400, details: [{ field: 'window.timeZone' }] })
  await expect(
    ada.api(campaigns.update, { params, body: { window: { ...window, from: '15:00' } } }),
  ).rejects.toMatchObject({ status: 400, details: [{ field: 'window.to' }] })
  expect((await ada.api(campaigns.update, { params, body: { window } })).window).toEqual(window)
  const check = await ada.api(campaigns.check, { params })
  expect(Math.round((Date.parse(check.forecast?.nextAt ?? '') - Date.now()) / HOUR)).toBeGreaterThanOrEqual(9)
  await ada.api(campaigns.send, { params, body: {} })
  const waiting = await until(async () => {
    const shown = await ada.api(campaigns.get, { params })
    return shown.stateText !== '' && shown
  }, 'its hours')
  expect(waiting.counts).toMatchObject({ queued: 2, sent: 0 })
  expect(waiting.stateText).toContain(`Waiting for its sending hours: it continues automatically on `)
  expect(waiting.stateText).toContain(`10:00 (${midnight}).`)
  // The hours come, as they would by waiting.
  await ada.api(campaigns.pause, { params })
  await sql`update campaigns set sending_window = ${JSON.stringify({ ...window, timeZone: noon })} where id = ${id}`.execute(
    t.services.db,
  )
  await ada.api(campaigns.resume, { params })
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(2)
})

test('sending hours: each recipient gets the email by their own clock, as the draft foresaw, put back once until exactly then', async () => {
  const t = await sharedApp()
  const ada = await t.person()
  const { noon, midnight } = findZones()
  const window: SendingWindow = { days, from: '10:00', to: '14:00', timeZone: noon, zoneField: 'zone' }
  const list = await listWith(t.services, ada, 6)
  const zones = [noon, noon.toLowerCase(), midnight, midnight, 'Mars/Base', '']
  for (const [index, zone] of zones.entries())
    await sql`update contacts set attributes = ${JSON.stringify({ zone })}::jsonb
      where workspace_id = ${ada.workspaceId} and name = ${`Person ${index + 1}`}`.execute(t.services.db)
  const { id } = await draftTo(ada, list)
  const params = { id }
  await ada.api(campaigns.update, { params, body: { window } })
  const { forecast } = await ada.api(campaigns.check, { params })
  const opens = Date.now() + windowAt({ ...window, timeZone: midnight }, Date.now()).opensIn
  expect(Date.parse(forecast?.nextAt ?? '') - Date.now()).toBeLessThan(HOUR)
  expect(Math.abs(Date.parse(forecast?.lastAt ?? '') - opens)).toBeLessThan(HOUR)
  await ada.api(campaigns.send, { params, body: {} })
  const waiting = await until(async () => {
    const shown = await ada.api(campaigns.get, { params })
    return shown.counts.sent === 4 && shown.stateText !== '' && shown
  }, 'those whose hours it is')
  expect(waiting.counts).toMatchObject({ sent: 4, queued: 2, deferred: 0 })
  expect(waiting.stateText).toContain(
    'Waiting for its sending hours in the time zones of its recipients: it continues automatically on ',
  )
  const { rows } = await sql<{ dueAt: Date; attempts: number }>`
    select due_at, attempts from messages where campaign_id = ${id} and due_at is not null`.execute(t.services.db)
  const now = Date.now()
  const opensAt = now + windowAt({ ...window, timeZone: midnight }, now).opensIn
  expect(rows.map(({ dueAt, attempts }) => [Math.round(dueAt.getTime() / 60_000), attempts])).toEqual([
    [Math.round(opensAt / 60_000), 0],
    [Math.round(opensAt / 60_000), 0],
  ])
  expect(Date.parse(waiting.forecast?.nextAt ?? '')).toBe(rows[0]?.dueAt.getTime())
  expect(Date.parse(waiting.forecast?.lastAt ?? '')).toBeLessThan(opensAt + HOUR)
  await ada.api(campaigns.pause, { params })
  await sql`update contacts set attributes = '{}' where workspace_id = ${ada.workspaceId}`.execute(t.services.db)
  await sql`update messages set due_at = now() where campaign_id = ${id} and due_at is not null`.execute(t.services.db)
  await ada.api(campaigns.resume, { params })
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(6)
})
