import type { SendingWindow } from '#contracts/campaigns/parts.ts'
import type { Plan } from '#server/engine/index.ts'
import type { Channel } from '../channel.ts'
import { checkGmail } from './check.ts'
import { forecastGmail } from './forecast.ts'
import { launchGmail } from './launch.ts'
import { presentGmail } from './present.ts'
import { runGmail } from './run.ts'
import { settleGmail } from './settle.ts'
import { testGmail } from './test-message.ts'

/** Emails through Gmail accounts, at a person's pace, with follow-ups. */
export const gmail: Channel = {
  id: 'gmail',
  campaigns: 'Gmail campaigns',
  isPaid: true,
  counts: 'emails',
  draft: {
    fields: ['window', 'senderIds', 'spread'],
    hasDefaultSender: false,
    refuseSender: (kind) => (kind === 'gmail' ? undefined : 'is not a Gmail account'),
    accounts: ({ senderIds, senderId }) =>
      senderIds ?? (senderId === undefined ? undefined : senderId ? [senderId] : []),
  },
  check: checkGmail,
  test: testGmail,
  plan: launchGmail,
  run: (sending, campaign, { plan, sendingWindow, spread }, signal) =>
    runGmail(sending, campaign, { plan: plan as Plan, window: sendingWindow as SendingWindow | null, spread }, signal),
  settle: settleGmail,
  forecast: forecastGmail,
  present: presentGmail,
}
