import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import type { Person, TestApp } from './app.ts'
import type { whatsAppWorld } from './whatsapp.ts'
import { phonesList, templateNamed, whatsAppDraft } from './whatsapp-campaign.ts'

type World = Awaited<ReturnType<typeof whatsAppWorld>>

export type When = 'answer' | 'webhook'
/** What Meta does to a recipient's messages: this code, the first `times` times. */
export interface Fate {
  code: number
  when: When
  times: number
}

/** A person with a number of their own, and how campaigns are sent through it to people with fates. */
export async function fatedNumber(t: TestApp, world: World, traits: Parameters<World['connect']>[1] = {}) {
  const person = await t.person({ plan: 'business' })
  const { number, account } = await world.connect(person, traits)
  await templateNamed(person, account.id, 'order_update')
  return {
    person,
    number,
    account,
    show: () => person.api(whatsappNumbers.get, { params: { id: account.id } }),
    /** Sends to these people; returns the campaign's id. */
    async send(people: { phone: string; fate?: Fate | undefined }[]) {
      for (const { phone, fate } of people)
        if (fate) await world.act(number.phoneNumberId, phone.slice(1), { act: 'fate', ...fate })
      const listId = await phonesList(
        t.services,
        person,
        people.map(({ phone }) => phone),
      )
      const { id } = await whatsAppDraft(person, account.id, [listId])
      await person.api(campaigns.send, { params: { id }, body: {} })
      return id
    },
  }
}

/** The campaign as it is now. */
export const showCampaign = (person: Person, id: string) => person.api(campaigns.get, { params: { id } })
/** Its recipients by their address. */
export const fetchRecipients = async (person: Person, id: string) =>
  new Map(
    (await person.api(campaigns.messages, { params: { id }, query: { limit: 200 } })).items.map((row) => [
      row.address,
      row,
    ]),
  )
/** The number's rest is over, and what was wrong with it fixed. */
export async function endRest({ services }: TestApp, accountId: string): Promise<void> {
  const { workspaceId } = await services.db
    .updateTable('whatsappNumbers')
    .set({ restUntil: null, state: 'working', stateText: '' })
    .where('id', '=', accountId)
    .returning('workspaceId')
    .executeTakeFirstOrThrow()
  services.live.publish('senders', workspaceId)
}
