import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ApiClient } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { HTML } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'

export const recipientAddress = (n: number) => `person${n}@example.com`

/** Uploads a list of `count` people as a CSV file, the way a user does. Returns the list's id. */
export async function uploadPeople(api: ApiClient, count: number): Promise<string> {
  const list = await api(lists.create, { body: { name: 'Everybody' } })
  const rows = Array.from({ length: count }, (_, i) => `${recipientAddress(i + 1)},Person ${i + 1},Firm ${i + 1}`)
  const form = new FormData()
  form.set('listId', list.id)
  form.set('mapping', JSON.stringify({ Email: 'email', Name: 'name', Company: 'company' }))
  form.set('file', new Blob([`Email,Name,Company\r\n${rows.join('\r\n')}\r\n`], { type: 'text/csv' }), 'people.csv')
  const { importId } = await api(contacts.import, { form })
  await until(async () => {
    const job = await api(imports.get, { params: { id: importId } })
    if (job.state === 'failed') throw new Error(job.error ?? 'the import failed')
    return job.state === 'done'
  }, 'the end of the import')
  return list.id
}

/** Makes a campaign to a list and sends it. Returns its id. */
export async function sendTo(api: ApiClient, listId: string): Promise<string> {
  const draft = await api(campaigns.create, {
    body: { name: 'News', subject: 'News for {{ name }}', html: HTML, listIds: [listId] },
  })
  await api(campaigns.send, { params: { id: draft.id }, body: {} })
  return draft.id
}

/** Watches a campaign until it rests. */
export async function untilSent(api: ApiClient, id: string, seconds: number) {
  let seen = ''
  const look = async () => {
    const campaign = await api(campaigns.get, { params: { id } })
    seen = `${JSON.stringify(campaign.counts)} ${campaign.stateText}`
    return campaign.state !== 'sending' && campaign
  }
  return until(look, () => `the end of the sending: ${seen}`, seconds, 100)
}
