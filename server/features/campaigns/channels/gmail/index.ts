import type { Plan } from '#server/engine/index.ts'
import type { Channel } from '../channel.ts'
import { countEmailAudience } from '../email/audience.ts'
import { checkGmail } from './check.ts'
import { gmailDraft } from './draft.ts'
import { forecastGmail } from './forecast.ts'
import { launchGmail } from './launch.ts'
import { absentGmail, presentGmail } from './present.ts'
import { mountGmail } from './routes.ts'
import { runGmail } from './run.ts'
import { settleGmail } from './settle.ts'
import { handleGmailJobs } from './sync/jobs.ts'
import { clearBounces, observeMailboxes, presentReplies, repliedRecipients, repliesTo } from './sync/replies-store.ts'
import { testGmail } from './test-message.ts'

/** Emails through Gmail accounts, at a person's pace, with follow-ups. */
export const gmail: Channel = {
  id: 'gmail',
  campaigns: 'Gmail campaigns',
  isPaid: true,
  counts: 'emails',
  draft: gmailDraft,
  check: checkGmail,
  countAudience: countEmailAudience,
  test: testGmail,
  plan: launchGmail,
  run: (sending, campaign, { plan }, signal) => runGmail(sending, campaign, plan as Plan, signal),
  settle: settleGmail,
  forecast: forecastGmail,
  mount: mountGmail,
  handleJobs: handleGmailJobs,
  absent: absentGmail,
  present: presentGmail,
  presentMessages: presentReplies,
  recipientEvents: { replied: repliedRecipients },
  isEmail: true,
  observe: observeMailboxes,
  messageFacts: repliesTo,
  eraseMessages: clearBounces,
}
