import type { Caller } from '#server/platform/http/mount.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { listFollowUps } from '../../follow-ups-store.ts'
import type { Trial } from '../channel.ts'
import { asSent } from '../email/draft.ts'
import { testEmail } from '../email/test-message.ts'
import { encodedAttachments } from './attachments.ts'

/** Sends the first message with its files, or a follow-up, as a test. Throws Refusal 400, 402, 409 and 429. */
export const testGmail = (services: Services, caller: Caller, campaign: CampaignRow, trial: Trial) =>
  testEmail(services, caller, campaign, trial, async (row, step) => {
    const { db } = services
    if (step === 1) return { row, attachments: await encodedAttachments(db, row.id) }
    const found = (await listFollowUps(db, row.workspaceId, row.id)).find((one) => one.step === step)
    if (!found) throw invalid('step', 'does not exist in this campaign')
    return { row: await asSent(db, row, found), attachments: '' }
  })
