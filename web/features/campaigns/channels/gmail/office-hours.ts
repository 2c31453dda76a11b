import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { ownZone } from '#web/ui/lib/zoned-time.ts'

/** Monday to Friday, 9 to 17, in the user's time zone: what a new campaign starts with. */
export const officeHours = (): SendingWindow => ({
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '17:00',
  timeZone: ownZone(),
})
