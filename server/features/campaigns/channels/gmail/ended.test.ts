import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { gmailVisitor } from '#server/testing/gmail.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

test('Gmail: a campaign that waits for its limit is paused once its account lost its permission, and says so', async () => {
  const ada = await t.person()
  const email = 'ended@gmail.com'
  const senderId = await gmailVisitor(t, ada).account(email, { perDay: 1 })
  const { id } = await draftTo(ada, await listWith(t.services, ada, 2), { channel: 'gmail', senderIds: [senderId] })
  const isUsedUp = async () => (await ada.api(campaigns.get, { params: { id } })).stateText.includes('is used up')
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await until(isUsedUp, 'its limit is used up')
  // Noticed as its mailbox is read, for instance: nothing is sent meanwhile.
  await t.services.db
    .updateTable('gmailAccounts')
    .set({ revokedAt: new Date() })
    .where('senderId', '=', senderId)
    .execute()
  const { stateText } = await untilState(ada, id, ['paused'])
  expect(stateText).toContain(`${email} has lost its permission at Google. Connect the account again`)
  const { attention } = await ada.api(dashboard.activity, { query: {} })
  expect(attention).toContainEqual(expect.objectContaining({ kind: 'gmail', id: senderId, name: email }))
  await gmailVisitor(t, ada).connect({ email }, { senderId })
  expect((await ada.api(dashboard.activity, { query: {} })).attention.map(({ kind }) => kind)).not.toContain('gmail')
  await ada.api(campaigns.resume, { params: { id } })
  await until(isUsedUp, 'its limit is used up')
}, 60_000)
