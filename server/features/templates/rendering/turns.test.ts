import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { blocks } from '#contracts/templates/parts.ts'
import { templates } from '#contracts/templates/templates.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

test('rendering: a flood of previews is refused and delays no launch, save or other workspace', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const mjml = `<mjml><mj-body>${'<mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section>'.repeat(80)}</mj-body></mjml>`
  const preview = (token: string) =>
    fetch(`${t.address}/api/templates/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subject: 'Hi', mjml }),
    })
  const draft = await draftTo(ada, await listWith(t.services, ada, 2))
  const flood = Array.from({ length: 24 }, () => preview(ada.token))
  const launched = ada.api(campaigns.send, { params: { id: draft.id }, body: {} })
  const saved = ada.api(templates.create, { body: { name: 'Kept', subject: 'Hi', mjml } })
  const other = await preview(eve.token)
  expect(other.status).toBe(200)
  const responses = await Promise.all(flood)
  const refused = responses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  await launched
  expect((await untilState(ada, draft.id, ['sent'])).counts).toMatchObject({ sent: 2 })
  expect(await saved).toMatchObject({ name: 'Kept' })
})

/** How much longer it takes for four times as much: 4 when it is linear, 16 when it is quadratic. */
async function growth(visit: (times: number) => Promise<unknown>, times: number): Promise<number> {
  const cost = async (count: number) => {
    const before = process.threadCpuUsage()
    await visit(count)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  await visit(10)
  const small = Math.min(await cost(times), await cost(times))
  const large = Math.min(await cost(4 * times), await cost(4 * times))
  // What a request costs by itself is in both.
  return large / Math.max(small, 20)
}

test('rendering: finding images without alt text takes time in proportion to the template', async () => {
  const ada = await t.person()
  const save = (count: number) =>
    ada.api(templates.create, { body: { name: 'Images', subject: 'Hi', html: `<p>x</p>${'<img>\n'.repeat(count)}` } })
  expect(await growth(save, 5_000)).toBeLessThan(9)
})

test('rendering: finding the images of an export takes time in proportion to the template', async () => {
  const ada = await t.person()
  const exported = async (count: number) => {
    const { id } = await ada.api(templates.create, {
      body: { name: 'Urls', subject: 'Hi', html: `<p>x</p>${'url( '.repeat(count)}` },
    })
    await fetch(`${t.address}/api/templates/${id}/export?format=zip`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
  }
  expect(await growth(exported, 5_000)).toBeLessThan(9)
})

test('rendering: checking that a saved block is closed takes time in proportion to its length', async () => {
  const ada = await t.person()
  const save = (count: number) =>
    ada
      .api(blocks.create, { body: { name: 'Block', mjml: `<mj-text>${'<mj-a "'.repeat(count)}</mj-text>` } })
      .catch((error) => expect(error).toMatchObject({ status: 400 }))
  expect(await growth(save, 3_000)).toBeLessThan(9)
})
