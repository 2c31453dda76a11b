import { beforeAll, expect, test } from 'vitest'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
let ada: Person
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
  ada = await t.person()
})

/** The events of a workspace's conversations, read as they come. */
async function listen({ token }: { token: string }) {
  const closed = new AbortController()
  const events = await fetch(`${t.address}/api/whatsapp/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: closed.signal,
  })
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  let text = ''
  return {
    text: () => text,
    async untilSays(words: string) {
      while (!text.includes(words)) text += (await reader?.read())?.value ?? ''
    },
    close: () => closed.abort(),
  }
}

test('inbox: changes are streamed live', async () => {
  const { number } = await world.connect(ada)
  const stream = await listen(ada)
  await world.says(number.phoneNumberId, '447911123464', 'Anybody there?')
  await stream.untilSays('Anybody there?')
  stream.close()
  expect(stream.text()).toContain('event: conversation')
})

test('inbox: a change that is committed after a later one is streamed too', async () => {
  const { number } = await world.connect(ada)
  const people = ['447911123465', '447911123466']
  for (const person of people) await world.says(number.phoneNumberId, person, `Hello from ${person}`)
  const conversations = await until(async () => {
    const { items } = await ada.api(whatsappConversations.list, { query: {} })
    const both = people.map((person) => items.find(({ phone }) => phone?.endsWith(person))?.id)
    return both.every((id) => id !== undefined) && both
  }, 'two conversations')
  const stream = await listen(ada)
  const change = (client: { query: (text: string, values: unknown[]) => Promise<unknown> }, id: unknown) =>
    client.query(
      'update whatsapp_conversations set preview = $2, changed_at = statement_timestamp() where workspace_id = $3 and id = $1',
      [id, `changed ${id}`, ada.workspaceId],
    )
  const slow = await t.services.pool.connect()
  await slow.query('begin')
  await change(slow, conversations[0])
  await change(t.services.pool, conversations[1])
  await stream.untilSays(`changed ${conversations[1]}`)
  await slow.query('commit')
  slow.release()
  await stream.untilSays(`changed ${conversations[0]}`)
  expect(stream.text().split(`changed ${conversations[1]}`)).toHaveLength(2)
  stream.close()
})
