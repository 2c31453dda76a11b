import type { MergedRows } from '#contracts/campaigns/channels/gmail/campaign.ts'
import type { EmailProblemCode, Exclusion } from '#contracts/campaigns/check.ts'
import type { Field } from '#server/engine/index.ts'
import { fieldNames } from '#server/features/contacts/index.ts'
import {
  checkAlignment,
  isFromAllowed,
  type SendingAccount,
  sendingAccount,
  unconfirmedText,
} from '#server/features/senders/index.ts'
import {
  checkDraftBounded,
  findSampleTexts,
  mergeMissingAddresses,
  sampleTextMessage,
  warmRenderer,
} from '#server/features/templates/index.ts'
import type { Services } from '#server/services.ts'
import { readAudience } from '../../audience/audience.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { checkLinks } from '../../links/links.ts'
import { describeLinks } from '../../links/problems.ts'
import type { Checked } from '../channel.ts'
import { error, type Problem, sampleProblems, warning } from '../problem.ts'
import { countEmptyFields, type EmailAudience, readEmailAudience } from './audience.ts'
import { buildDraft } from './draft.ts'
import { readMergedRows } from './merged-rows.ts'

type EmailProblem = Problem<EmailProblemCode>

/** What the check of emails through several accounts adds. */
export interface Differences {
  /** What is said where it has no sender. */
  noSender: string
  /** What is wrong with the accounts it goes through. */
  accounts?(): Promise<Problem[]>
  /** What is wrong with the messages after the first. */
  followUps?(account: SendingAccount, audience: EmailAudience | undefined): Promise<Problem[]>
}

async function senderProblems(services: Services, campaign: CampaignRow, { accounts, noSender }: Differences) {
  if (!campaign.senderId)
    return {
      account: undefined,
      problems: [error('no_sender', noSender)],
    }
  const account = await sendingAccount(services, services.db, campaign.workspaceId, campaign.senderId)
  if (!account)
    return {
      account,
      problems: [
        error('sender_not_configured', 'This sender has no mail server yet. Add one or choose another sender.'),
      ],
    }
  const problems: EmailProblem[] = []
  const ofAccounts = accounts ? await accounts() : []
  if (!account.fromEmail) problems.push(error('no_from', 'The sender has no From address. Add one to the sender.'))
  else if (!(await isFromAllowed(services, { ...account, workspaceId: campaign.workspaceId })))
    problems.push(error('from_unconfirmed', unconfirmedText(account.fromEmail)))
  if (!accounts && account.state === 'failing')
    problems.push(
      error('sender_failing', `The last email from this sender failed: ${account.stateText} Test the sender again.`),
    )
  if (account.fromEmail) problems.push(...(await alignmentProblems(services, campaign, account)))
  return { account, problems: [...ofAccounts, ...problems] }
}

/** Whether receivers are asked to refuse what would be sent. */
async function alignmentProblems(
  services: Services,
  { workspaceId }: CampaignRow,
  account: SendingAccount,
): Promise<EmailProblem[]> {
  const { state, text } = await checkAlignment(services, workspaceId, account)
  if (state === 'pass') return []
  return [state === 'fail' ? error('dmarc_fail', text) : warning('dmarc_unknown', text)]
}

/** What is wrong with the text of one message, and its links; it is tried with some of its people, where they can be told. */
export async function contentProblems(
  services: Services,
  campaign: CampaignRow,
  account: SendingAccount,
  isOwn: boolean,
  audience: EmailAudience | undefined,
): Promise<{ problems: EmailProblem[]; links: string[] }> {
  const draft = await buildDraft(services.db, campaign, account, services.config.publicUrl)
  const problems: EmailProblem[] = []
  if (draft.subject.trim() === '') problems.push(error('no_subject', 'Add a subject.'))
  if (!draft.html && !draft.mjml)
    return {
      problems: [...problems, error('no_content', 'Add content: choose a template or write the email.')],
      links: [],
    }
  if (!draft.footer.postalAddress) {
    const text = 'Add your postal address. It’s required by law in many countries.'
    problems.push(services.config.production ? error('no_postal_address', text) : warning('no_postal_address', text))
  }
  const samples = findSampleTexts(draft)
  const sampleText = sampleTextMessage(samples)
  if (sampleText) problems.push(at(error('sample_text', sampleText), samples[0]?.line))
  const { workspaceId } = campaign
  const sample = audience?.sample ?? []
  const checked = await checkDraftBounded({ workspaceId, isOwn }, { ...draft, subject: draft.subject || 'x' }, sample)
  const all = [
    ...problems,
    ...(await attributeProblems(services, workspaceId, audience, checked.plan?.fields ?? [])),
    ...(isOwn ? [] : await emptyFieldProblems(services, campaign, audience, checked.plan?.fields ?? [])),
    ...describeLinks(await checkLinks(services, workspaceId, checked.links)),
    ...mergeMissingAddresses(checked.problems, draft).map(({ severity, part, line, message }) =>
      at({ severity, code: `content_${part}` as const, message: endSentence(message) }, line),
    ),
  ]
  return { problems: all, links: [...new Set(checked.plan?.links.map(({ url }) => url))] }
}

/** A finding of the compiler as the sentence that the other problems are. */
const endSentence = (message: string): string => (/[.!?…]$/.test(message) ? message : `${message}.`)

/** The same problem with its line in the template, where it is known. */
const at = (problem: EmailProblem, line: number | null | undefined): EmailProblem =>
  line ? { ...problem, line } : problem

/**
 * Attributes the email uses and none of the people it goes to has. Printed without a default, one that is no custom field either
 * stops it: everybody would read a gap.
 */
async function attributeProblems(
  { db }: Pick<Services, 'db'>,
  workspaceId: string,
  audience: EmailAudience | undefined,
  fields: Field[],
): Promise<EmailProblem[]> {
  if (!audience) return []
  const { attributes: known, where, recipients } = audience
  const unknown = fields.flatMap(({ path, lines, bare }) => {
    const name = path.startsWith('attributes.') ? path.slice('attributes.'.length) : ''
    return name !== '' && !known.includes(name) ? [{ name, bare, line: lines[0] }] : []
  })
  if (unknown.length === 0) return []
  const defined = await fieldNames(db, workspaceId)
  return unknown.map(({ name, bare, line }) => {
    const similar = [...known, ...defined].find((one) => one.toLowerCase() === name.toLowerCase() && one !== name)
    const stops = bare === true && recipients > 0 && !defined.includes(name)
    const advice = similar
      ? `Did you mean attributes.${similar}?`
      : stops
        ? `Correct it, or give it a default: {{ attributes.${name} | default: "…" }}.`
        : 'It stays empty, or shows its default.'
    const text = `No contact ${where} has the custom field “${name}”. ${advice}`
    return at((stops ? error : warning)('unknown_attribute', text), line)
  })
}

/**
 * Merge fields printed without a default that say nothing to some of the recipients, and to how many. An email about to be sent
 * is not looked at: it was when it was checked, and no warning stops it.
 */
async function emptyFieldProblems(
  { db }: Pick<Services, 'db'>,
  campaign: CampaignRow,
  audience: EmailAudience | undefined,
  fields: Field[],
): Promise<EmailProblem[]> {
  const bare = fields.filter(({ bare, path }) => bare && isKnown(path, audience))
  if (!audience || audience.recipients === 0 || bare.length === 0) return []
  const paths = bare.map(({ path }) => path)
  const { found } = await readAudience(db, campaign, (db, audience) => countEmptyFields(db, audience, paths))
  const { recipients } = audience
  return bare.flatMap(({ path, lines }) => {
    const people = Math.min(found?.get(path) ?? 0, recipients)
    if (people === 0) return []
    const share =
      people === recipients ? `all ${say(recipients)} recipients` : `${say(people)} of ${say(recipients)} recipients`
    const who = recipients === 1 ? 'the recipient' : share
    const text = `{{ ${path} }} is empty for ${who}. Give it a default: {{ ${path} | default: "…" }}.`
    return [at(warning('empty_field', text), lines[0])]
  })
}

/** What no recipient has is reported as that. */
const isKnown = (path: string, audience: EmailAudience | undefined) =>
  !path.startsWith('attributes.') || audience?.attributes.includes(path.slice('attributes.'.length))

/** A spreadsheet that is not read yet, or not whole. */
function rowProblems(merge: MergedRows | undefined): EmailProblem[] {
  if (!merge) return []
  if (merge.state === 'queued' || merge.state === 'running')
    return [error('rows_being_read', `${merge.fileName} is still being imported. Wait until the import is complete.`)]
  if (merge.state === 'failed')
    return [
      error(
        'rows_unreadable',
        `${merge.fileName} could not be read completely. Check the import, then upload the file again.`,
      ),
    ]
  const rows = merge.bad === 1 ? 'One row' : `${merge.bad.toLocaleString('en-US')} rows`
  return merge.bad === 0
    ? []
    : [
        warning(
          'bad_rows',
          `${rows} of ${merge.fileName} cannot be emailed and ${merge.bad === 1 ? 'is' : 'are'} skipped. Its import lists them with the reason.`,
        ),
      ]
}

const ADVICE = 'Record the lawful basis: open the scrape they come from and choose Add to list again with it.'
const say = (count: number) => count.toLocaleString('en-US')

/** Who would not get it, in words: an error where nobody is left, a warning otherwise. */
function audienceProblems({ recipients, excluded, where }: EmailAudience): EmailProblem[] {
  const left = new Map(excluded.map(({ reason, people }) => [reason, people]))
  const count = (...reasons: Exclusion['reason'][]) => reasons.reduce((sum, reason) => sum + (left.get(reason) ?? 0), 0)
  const suppressed = count('unsubscribed', 'bounced', 'suppressed')
  const [withoutBasis, pending, samples] = [count('no_lawful_basis'), count('pending'), count('sample')]
  const resting = count('paused', 'frequency_cap')
  const people = recipients + suppressed + withoutBasis + pending + samples + resting
  const problems: EmailProblem[] = sampleProblems(samples, people, recipients, where)
  if (recipients === 0 && people > 0 && samples === people) return problems
  const are = (some: number) => `${say(some)} of ${say(people)} contacts are skipped`
  if (recipients === 0 && withoutBasis > 0)
    problems.push(
      error(
        'no_lawful_basis',
        `No one ${where} can be emailed: ${withoutBasis} of ${people} contacts were found on web pages and have no recorded lawful basis. ${ADVICE}`,
      ),
    )
  else if (recipients === 0 && count('excluded') > 0 && people === 0)
    problems.push(error('no_recipients', `Everyone ${where} who can be emailed is excluded. Exclude fewer people.`))
  else if (recipients === 0 && resting > 0 && resting === people)
    problems.push(
      error('no_recipients', `Everyone ${where} paused emails or has reached the weekly limit. Send it in a few days.`),
    )
  else if (recipients === 0)
    problems.push(error('no_recipients', `No one ${where} can be emailed. Choose another list or import contacts.`))
  else if (withoutBasis > 0)
    problems.push(
      warning(
        'no_lawful_basis',
        `${are(withoutBasis)}: they were found on web pages and have no recorded lawful basis. ${ADVICE}`,
      ),
    )
  if (recipients > 0 && suppressed > 0)
    problems.push(warning('suppressed', `${are(suppressed)}: they unsubscribed, complained or bounced.`))
  return problems
}

/** What would stop or hurt a campaign of emails, and how many people it would go to. */
export async function checkEmails(
  services: Services,
  campaign: CampaignRow,
  isOwn: boolean,
  differences: Differences,
): Promise<Checked> {
  warmRenderer()
  const [{ account, problems: ofSender }, audience] = await Promise.all([
    senderProblems(services, campaign, differences),
    readAudience(services.db, campaign, readEmailAudience),
  ])
  const problems: Problem[] = ofSender
  const { found } = audience
  let links: string[] = []
  if (account?.fromEmail) {
    const content = await contentProblems(services, campaign, account, isOwn, found)
    problems.push(...content.problems)
    links = content.links
    problems.push(...((await differences.followUps?.(account, found)) ?? []))
  }
  const { workspaceId, id } = campaign
  problems.push(...rowProblems((await readMergedRows(services.db, workspaceId, [id])).get(id)))
  problems.push(...audience.problems, ...(found ? audienceProblems(found) : []))
  return { problems, recipients: found?.recipients ?? 0, excluded: found?.excluded ?? [], links }
}
