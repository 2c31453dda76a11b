import type { GmailProblemCode } from '#contracts/campaigns/check.ts'
import { isGmailAccount } from '#server/features/gmail/index.ts'
import { type SendingAccount, sendingAccount } from '#server/features/senders/index.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { listFollowUps } from '../../follow-ups-store.ts'
import type { Checked } from '../channel.ts'
import type { EmailAudience } from '../email/audience.ts'
import { checkEmails, contentProblems } from '../email/check.ts'
import { asSent } from '../email/draft.ts'
import { error, type Problem, warning } from '../problem.ts'
import { readReplies } from './sync/replies-store.ts'

type GmailProblem = Problem<GmailProblemCode>

/** What is wrong with the accounts of a Gmail campaign: one that cannot send stops it, since its share would wait for ever. */
async function accountProblems(services: Services, campaign: CampaignRow): Promise<GmailProblem[]> {
  const problems: GmailProblem[] = []
  for (const id of campaign.senderIds) {
    const account = await sendingAccount(services, services.db, campaign.workspaceId, id)
    if (!account || !isGmailAccount(account))
      problems.push(error('sender_not_configured', 'One of the selected Gmail accounts is not set up.'))
    else if (account.revoked)
      problems.push(error('account_revoked', `${account.fromEmail} lost its permission to send. Reconnect it.`))
    else if (account.blocked !== null)
      // The others take its share; without others nobody does.
      problems.push(
        (campaign.senderIds.length > 1 ? warning : error)(
          'account_blocked',
          `${account.fromEmail}: ${account.blocked}`,
        ),
      )
    else if (account.state === 'failing')
      problems.push(
        (campaign.senderIds.length > 1 ? warning : error)(
          'sender_failing',
          `The last email from ${account.fromEmail} failed: ${account.stateText}`,
        ),
      )
  }
  return problems
}

/** What is wrong with the follow-ups; what is so with every message was said of the first. */
async function followUpProblems(
  services: Services,
  campaign: CampaignRow,
  account: SendingAccount,
  isOwn: boolean,
  audience: EmailAudience | undefined,
): Promise<GmailProblem[]> {
  const rows = campaign.followUps === 0 ? [] : await listFollowUps(services.db, campaign.workspaceId, campaign.id)
  const problems: GmailProblem[] = []
  for (const row of rows) {
    const sent = await asSent(services.db, campaign, row)
    for (const problem of (await contentProblems(services, sent, account, isOwn, audience)).problems)
      if (problem.code !== 'no_postal_address' && problem.code !== 'no_subject' && problem.code !== 'content_subject')
        problems.push({ ...problem, message: `Follow-up ${row.step - 1}: ${problem.message}`, step: row.step })
  }
  if (!rows.some((row) => row.stopOnReply)) return problems
  const { readable = 0 } = (await readReplies(services.db, campaign.workspaceId, [campaign.id])).get(campaign.id) ?? {}
  if (readable < campaign.senderIds.length)
    problems.push(
      warning(
        'replies_unseen',
        `Replies ${readable === 0 ? 'can’t' : 'to some accounts can’t'} be detected, so people who reply still get the next follow-up. Allow reading replies for ${readable === 0 ? 'your Gmail account' : 'every account'}.`,
      ),
    )
  return problems
}

/** What would stop or hurt a Gmail campaign with its follow-ups, and how many people it would go to. */
export const checkGmail = (services: Services, campaign: CampaignRow, isOwn: boolean): Promise<Checked> =>
  checkEmails(services, campaign, isOwn, {
    noSender: 'Choose at least one Gmail account.',
    accounts: () => accountProblems(services, campaign),
    followUps: (account, audience) => followUpProblems(services, campaign, account, isOwn, audience),
  })
