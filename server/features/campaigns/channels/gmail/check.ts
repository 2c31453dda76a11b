import type { GmailProblemCode } from '#contracts/campaigns/check.ts'
import { isGmailAccount } from '#server/features/gmail/index.ts'
import { type SendingAccount, sendingAccount } from '#server/features/senders/index.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { listFollowUps } from '../../follow-ups-store.ts'
import type { Checked } from '../channel.ts'
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
      problems.push(error('sender_not_configured', 'One of its Gmail accounts is not configured.'))
    else if (account.revoked)
      problems.push(
        error('account_revoked', `${account.fromEmail}: Google has ended the permission. Connect it again.`),
      )
    else if (account.blocked !== null)
      // The others take its share; without others nobody does.
      problems.push(
        (campaign.senderIds.length > 1 ? warning : error)(
          'account_blocked',
          `${account.fromEmail}: ${account.blocked}`,
        ),
      )
    else if (account.state === 'failing')
      problems.push(warning('sender_failing', `${account.fromEmail}: the last try failed. ${account.stateText}`))
  }
  return problems
}

/** What is wrong with the follow-ups; what is so with every message was said of the first. */
async function followUpProblems(
  services: Services,
  campaign: CampaignRow,
  account: SendingAccount,
  isOwn: boolean,
): Promise<GmailProblem[]> {
  const rows = campaign.followUps === 0 ? [] : await listFollowUps(services.db, campaign.workspaceId, campaign.id)
  const problems: GmailProblem[] = []
  for (const row of rows) {
    const sent = await asSent(services.db, campaign, row)
    for (const problem of await contentProblems(services, sent, account, isOwn))
      if (problem.code !== 'no_postal_address' && problem.code !== 'no_subject' && problem.code !== 'content_subject')
        problems.push({ ...problem, message: `Follow-up ${row.step - 1}: ${problem.message}` })
  }
  if (!rows.some((row) => row.stopOnReply)) return problems
  const { readable = 0 } = (await readReplies(services.db, campaign.workspaceId, [campaign.id])).get(campaign.id) ?? {}
  if (readable < campaign.senderIds.length)
    problems.push(
      warning(
        'replies_unseen',
        `Follow-ups stop on a reply, but replies ${readable === 0 ? 'cannot be read' : 'to some of its accounts cannot be read'}. Allow reading (at Google, or for the app password under Change). Otherwise recipients who replied still get the next step.`,
      ),
    )
  return problems
}

/** What would stop or hurt a Gmail campaign with its follow-ups, and how many people it would go to. */
export const checkGmail = (services: Services, campaign: CampaignRow, isOwn: boolean): Promise<Checked> =>
  checkEmails(services, campaign, isOwn, {
    noSender: 'The campaign has no Gmail account. Choose at least one.',
    accounts: () => accountProblems(services, campaign),
    followUps: (account) => followUpProblems(services, campaign, account, isOwn),
  })
