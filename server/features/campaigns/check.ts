import type { z } from 'zod'
import type { Problem as ProblemSchema } from '#contracts/campaign-check.ts'
import type { Campaign, campaigns } from '#contracts/campaigns.ts'
import type { Answer } from '#contracts/endpoint.ts'
import type { Field } from '#server/engine/index.ts'
import { leftForCampaign } from '#server/features/billing/index.ts'
import { isFromAllowed, sendingAccount, unconfirmedText } from '#server/features/senders/index.ts'
import { checkDraftBounded } from '#server/features/templates/index.ts'
import type { Services } from '#server/services.ts'
import { attributeNames, countAudience, sampleMembers } from './audience.ts'
import { asSent, draftOf } from './draft.ts'
import { followUpsOf } from './follow-ups-store.ts'
import { forecastOfDraft } from './forecast.ts'
import { presentCampaign } from './present.ts'
import type { CampaignRow } from './store.ts'
import { whatsAppProblems } from './whatsapp/check.ts'

type Problem = z.infer<typeof ProblemSchema>

const error = (code: string, message: string): Problem => ({ severity: 'error', code, message })
const warning = (code: string, message: string): Problem => ({ severity: 'warning', code, message })

async function senderProblems(services: Services, campaign: CampaignRow) {
  if (!campaign.senderId)
    return {
      account: undefined,
      problems: [
        error(
          'no_sender',
          campaign.channel === 'gmail'
            ? 'Choose the Gmail accounts it goes through: it has none.'
            : 'Choose who it comes from: it has no sender.',
        ),
      ],
    }
  const account = await sendingAccount(services, services.db, campaign.workspaceId, campaign.senderId)
  if (!account)
    return {
      account,
      problems: [error('sender_not_configured', 'The sender is not configured: there is no mail server to send with.')],
    }
  const problems: Problem[] = campaign.channel === 'gmail' ? await gmailProblems(services, campaign) : []
  if (!account.fromEmail) problems.push(error('no_from', 'The sender has no from-address. Give it one.'))
  else if (!(await isFromAllowed(services, { ...account, workspaceId: campaign.workspaceId })))
    problems.push(error('from_unconfirmed', unconfirmedText(account.fromEmail)))
  if (account.state === 'failing' && account.kind === 'smtp')
    problems.push(warning('sender_failing', `The last try with this mail server failed: ${account.stateText}`))
  return { account, problems }
}

/** What is wrong with the accounts of a Gmail campaign: one that cannot send stops it, since its share would wait for ever. */
async function gmailProblems(services: Services, campaign: CampaignRow): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const id of campaign.senderIds) {
    const account = await sendingAccount(services, services.db, campaign.workspaceId, id)
    if (!account) problems.push(error('sender_not_configured', 'One of its Gmail accounts is not configured.'))
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

async function contentProblems(
  services: Services,
  campaign: CampaignRow,
  account: NonNullable<Awaited<ReturnType<typeof sendingAccount>>>,
  isOwn: boolean,
): Promise<Problem[]> {
  const draft = await draftOf(services.db, campaign, account, services.config.publicUrl)
  const problems: Problem[] = []
  if (draft.subject.trim() === '') problems.push(error('no_subject', 'It has no subject. Write one.'))
  if (!draft.html && !draft.mjml)
    return [...problems, error('no_content', 'It has no content. Choose a template or write it.')]
  if (!draft.footer.postalAddress) {
    const text =
      'There is no postal address of yours for the footer. The law of many countries asks for one. Add it under My Account.'
    problems.push(services.config.production ? error('no_postal_address', text) : warning('no_postal_address', text))
  }
  const { workspaceId, listIds } = campaign
  const sample = await sampleMembers(services.db, workspaceId, listIds)
  const checked = await checkDraftBounded({ workspaceId, isOwn }, { ...draft, subject: draft.subject || 'x' }, sample)
  return [
    ...problems,
    ...(await attributeProblems(services, campaign, checked.plan?.fields ?? [])),
    ...checked.problems.map(({ severity, part, line, message }) => ({
      severity,
      code: `content_${part}`,
      message: line === null ? message : `Line ${line}: ${message}`,
    })),
  ]
}

/** Attributes the letter uses and none of the people it goes to has: they would read nothing in their place. */
async function attributeProblems(services: Services, campaign: CampaignRow, fields: Field[]): Promise<Problem[]> {
  const used = fields.flatMap(({ path, lines }) =>
    path.startsWith('attributes.') ? [{ name: path.slice('attributes.'.length), line: lines[0] }] : [],
  )
  if (used.length === 0 || campaign.listIds.length === 0) return []
  const known = await attributeNames(services.db, campaign.workspaceId, campaign.listIds)
  return used
    .filter(({ name }) => !known.includes(name))
    .map(({ name, line }) => {
      const similar = known.find((one) => one.toLowerCase() === name.toLowerCase())
      const advice = similar
        ? `Did you mean attributes.${similar}?`
        : 'Its place stays empty, or shows the default you gave.'
      return warning(
        'unknown_attribute',
        `Line ${line ?? '?'}: nobody on these lists has the attribute “${name}”. ${advice}`,
      )
    })
}

/** What is wrong with the follow-ups; what is so with every message was said of the first. */
async function followUpProblems(
  services: Services,
  campaign: CampaignRow,
  account: NonNullable<Awaited<ReturnType<typeof sendingAccount>>>,
  isOwn: boolean,
): Promise<Problem[]> {
  const rows = campaign.followUps === 0 ? [] : await followUpsOf(services.db, campaign.workspaceId, campaign.id)
  const problems: Problem[] = []
  for (const row of rows) {
    const sent = await asSent(services.db, campaign, row)
    for (const problem of await contentProblems(services, sent, account, isOwn))
      if (problem.code !== 'no_postal_address' && problem.code !== 'no_subject' && problem.code !== 'content_subject')
        problems.push({ ...problem, message: `Follow-up ${row.step - 1}: ${problem.message}` })
  }
  if (rows.some((row) => row.stopOnReply) && campaign.readable < campaign.senderIds.length)
    problems.push(
      warning(
        'replies_unseen',
        `Follow-ups are to stop on an answer, but answers ${campaign.readable === 0 ? 'cannot be seen' : 'to some of its accounts cannot be seen'}. Allow reading (at Google, or for the app password under Change), or who answered gets the next step all the same.`,
      ),
    )
  return problems
}

/** A spreadsheet that is not read yet, or not whole. */
function rowProblems({ merge }: Campaign): Problem[] {
  if (!merge) return []
  if (merge.state === 'queued' || merge.state === 'running')
    return [error('rows_being_read', `The rows of ${merge.fileName} are still being read. Wait until they are.`)]
  if (merge.state === 'failed')
    return [
      error(
        'rows_unreadable',
        `${merge.fileName} could not be read to its end. Look at its import, then send the rows again.`,
      ),
    ]
  const rows = merge.bad === 1 ? 'One row' : `${merge.bad.toLocaleString('en-US')} rows`
  return merge.bad === 0
    ? []
    : [
        warning(
          'bad_rows',
          `${rows} of ${merge.fileName} cannot be written to and ${merge.bad === 1 ? 'is' : 'are'} left out. Its import lists them with the reason.`,
        ),
      ]
}

/** Who of the lists would not get it, and why. */
async function audienceProblems(services: Services, { workspaceId, listIds }: CampaignRow) {
  const { people, suppressed, withoutBasis } = await countAudience(services.db, workspaceId, listIds)
  const recipients = people - suppressed - withoutBasis
  if (listIds.length === 0)
    return { recipients, problems: [error('no_lists', 'It has no recipients: choose at least one list.')] }
  const advice =
    'Say why you may write to them: in the collection they come from, choose Add to list again with the lawful basis.'
  const problems: Problem[] = []
  if (recipients === 0 && withoutBasis > 0)
    problems.push(
      error(
        'no_lawful_basis',
        `Nobody would get it: ${withoutBasis} of ${people} people were found on web pages, and no lawful basis is recorded for them. ${advice}`,
      ),
    )
  else if (recipients === 0)
    problems.push(
      error(
        'no_recipients',
        'Nobody would get it: its lists hold no confirmed contact with an e-mail address who may be written to.',
      ),
    )
  else if (withoutBasis > 0)
    problems.push(
      warning(
        'no_lawful_basis',
        `${withoutBasis} of ${people} people are left out: they were found on web pages, and no lawful basis is recorded for them. ${advice}`,
      ),
    )
  if (recipients > 0 && suppressed > 0)
    problems.push(
      warning(
        'suppressed',
        `${suppressed} of ${people} people are left out: they unsubscribed, complained, or their address does not exist.`,
      ),
    )
  return { recipients, problems }
}

/** What of this month's limit it needs, where that is more than is left or much of it. */
async function limitProblems({ db }: Services, campaign: CampaignRow, people: number): Promise<Problem[]> {
  if (people === 0 || !['draft', 'scheduled'].includes(campaign.state)) return []
  const { what, limit, left, until } = await leftForCampaign(db, campaign.workspaceId, campaign.channel)
  const say = (count: number) => count.toLocaleString('en-US')
  if (people > left)
    return [
      error(
        'quota_used_up',
        `It needs ${say(people)} ${what}, and ${left === 0 ? 'none' : say(left)} of your ${say(limit)} of this month are left, until ${until}. Choose a larger plan, or write to fewer people.`,
      ),
    ]
  if (left - people > limit * 0.2) return []
  return [
    warning(
      'quota_low',
      `After it ${say(left - people)} of your ${say(limit)} ${what} of this month are left, until ${until}.`,
    ),
  ]
}

/** What would stop or hurt a campaign, and how many people it would go to. Errors stop it, warnings do not. `isOwn`: it is about to be sent. */
export async function checkCampaign(
  services: Services,
  campaign: CampaignRow,
  isOwn = false,
): Promise<Answer<typeof campaigns.check>> {
  const { problems, recipients, leftOut } = await (campaign.channel === 'whatsapp' ? whatsAppProblems : mailProblems)(
    services,
    campaign,
    isOwn,
  )
  problems.push(...(await limitProblems(services, campaign, recipients)))
  const forecast = await forecastOfDraft(services.db, campaign, recipients)
  return { ok: problems.every((problem) => problem.severity === 'warning'), problems, recipients, leftOut, forecast }
}

async function mailProblems(services: Services, campaign: CampaignRow, isOwn: boolean) {
  const { account, problems } = await senderProblems(services, campaign)
  if (account?.fromEmail) problems.push(...(await contentProblems(services, campaign, account, isOwn)))
  if (account?.fromEmail) problems.push(...(await followUpProblems(services, campaign, account, isOwn)))
  problems.push(...rowProblems(presentCampaign(campaign)))
  const audience = await audienceProblems(services, campaign)
  problems.push(...audience.problems)
  return { problems, recipients: audience.recipients, leftOut: [] }
}
