import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedApp } from '#server/testing/app.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/until.ts'
import { bring, whatsAppWorld } from '#server/testing/whatsapp.ts'

const MESSAGES = isLong ? 2_500 : 500
const PER_BATCH = 20

test(`WhatsApp webhook: ${4 * MESSAGES} shuffled and repeated statuses lead to the right states`, {
  timeout: 180_000,
}, async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const ada = await t.person()
  const { number, account } = await world.connect(ada)
  await sql`insert into whatsapp_messages (workspace_id, account_id, person, direction, kind, status, wamid)
    select ${ada.workspaceId}::bigint, ${account.id}::bigint, '4479' || n, 'out', 'template', 'accepted', 'wamid.' || n from generate_series(1, ${MESSAGES}::int) n`.execute(
    t.services.db,
  )
  const statuses = Array.from({ length: MESSAGES }, (_, i) => i + 1).flatMap((n) =>
    // One in ten fails, the rest are read; some without ever being called delivered.
    (n % 10 === 0
      ? ['sent', 'failed', 'failed', 'sent']
      : ['sent', n % 3 === 0 ? 'sent' : 'delivered', 'read', 'delivered']
    ).map((status) => ({
      id: `wamid.${n}`,
      status,
      timestamp: '1763000000',
      ...(status === 'failed' && { errors: [{ code: 131026, title: 'Message undeliverable' }] }),
    })),
  )
  const shuffled = statuses
    .map((one, i) => ({ one, by: (i * 7_919) % statuses.length }))
    .toSorted((a, b) => a.by - b.by)
  const batches = Array.from({ length: statuses.length / PER_BATCH }, (_, i) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: number.businessAccountId,
        changes: shuffled.slice(i * PER_BATCH, (i + 1) * PER_BATCH).map(({ one }) => ({
          field: 'messages',
          value: { metadata: { phone_number_id: number.phoneNumberId }, statuses: [one] },
        })),
      },
    ],
  }))
  expect(statuses.length).toBe(4 * MESSAGES)
  const responses = await Promise.all(batches.map((batch) => bring(t, batch, number.appSecret)))
  expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([200]))
  await until(async () => {
    const left = await t.services.db
      .selectFrom('whatsappWebhookEvents')
      .where('handledAt', 'is', null)
      .select('id')
      .execute()
    return left.length === 0
  }, 'all of it worked on')
  const { rows: counts } = await sql<{
    status: string
    n: number
  }>`select status, count(*)::int as n from whatsapp_messages
    where account_id = ${account.id} group by 1 order by 1`.execute(t.services.db)
  expect(counts).toEqual([
    { status: 'failed', n: MESSAGES / 10 },
    { status: 'read', n: (MESSAGES * 9) / 10 },
  ])
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from whatsapp_messages
    where account_id = ${account.id} and status = 'failed' and error_code = 131026 and error_text <> '' and read_at is null`.execute(
    t.services.db,
  )
  expect(rows[0]?.n).toBe(MESSAGES / 10)
})
