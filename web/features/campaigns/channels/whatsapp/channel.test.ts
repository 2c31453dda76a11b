import { expect, test } from 'vitest'
import type { CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { whatsapp } from './channel.ts'

test('WhatsApp campaigns: the list has the rates of the report', () => {
  // Nine sent and one failed; eight arrived, and one waits for a phone.
  const delivery = { tried: 10, delivered: 8, read: 4, failed: 1, replied: 2 }
  const campaign = { delivery, counts: { sent: 9 } } as CampaignSummary
  const shown = whatsapp.figures.map(({ header, count, rate }) => [header, count(campaign), rate(campaign)])
  expect(shown).toEqual([
    ['Delivered', 8, 0.8],
    ['Read', 4, 0.5],
    ['Replied', 2, 0.25],
  ])
})
