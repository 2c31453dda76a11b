import type { WhatsAppContent } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import type { AudienceCount, WhatsAppProblemCode } from '#contracts/campaigns/check.ts'
import { findVariables, type NumberRow, numberById, openKeys } from '#server/features/whatsapp/index.ts'
import type { Services } from '#server/services.ts'
import { readAudience } from '../../audience/audience.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { Checked } from '../channel.ts'
import { error, type Problem, sampleProblems, warning } from '../problem.ts'
import { countWhatsAppAudience, type WhatsAppAudience } from './audience.ts'
import { parseContent } from './content.ts'
import { findTemplate } from './launch.ts'

type WhatsAppProblem = Problem<WhatsAppProblemCode>
type Template = NonNullable<Awaited<ReturnType<typeof findTemplate>>>

const say = (count: number) => count.toLocaleString('en-US')

/** The number it goes through. */
function numberProblems({ config, whatsapp }: Services, number: NumberRow | undefined): WhatsAppProblem[] {
  if (!whatsapp) return [error('not_configured', 'WhatsApp is not configured on this installation.')]
  if (!number) return [error('no_account', 'The campaign has no WhatsApp number. Choose one.')]
  if (number.state === 'reconnect' || !openKeys(config, number))
    return [error('account_reconnect', `${number.displayPhone}: its access token has expired. Enter a new one.`)]
  if (number.state !== 'working')
    return [warning('account_trouble', `${number.displayPhone}: the last try failed. ${number.stateText}`)]
  return []
}

/** The template, and whether something fills each of its variables. */
function templateProblems(
  template: Template | undefined,
  number: NumberRow | undefined,
  given: WhatsAppContent['variables'],
): WhatsAppProblem[] {
  if (!template) return [error('no_template', 'The campaign has no template. Choose one.')]
  const problems: WhatsAppProblem[] = []
  if (template.status !== 'APPROVED')
    problems.push(
      error(
        'template_not_approved',
        `The template “${template.name}” cannot be sent: its status at Meta is ${template.status}${template.reason ? ` (${template.reason})` : ''}.`,
      ),
    )
  if (number && template.businessAccountId !== number.businessAccountId)
    problems.push(
      error(
        'template_other_account',
        'The template belongs to another business account than the number. Choose another.',
      ),
    )
  for (const { key, kind } of findVariables(template)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    const isEmpty = !value || (value.from === 'text' && value.text === '')
    if (isEmpty) problems.push(error('variable_missing', `“${key}” of the template has no value. Set one.`))
    else if (kind === 'media' && value.from === 'field')
      problems.push(error('variable_missing', 'The header needs a file: upload one, or enter its https URL.'))
    else if (kind === 'media' && value.from === 'text' && URL.parse(value.text)?.protocol !== 'https:')
      problems.push(error('media_address', 'The file of the header needs a URL that starts with https://.'))
    else if (kind === 'text' && value.from === 'media')
      problems.push(error('variable_missing', `“${key}” needs text, not a file.`))
  }
  return problems
}

const CONSENT =
  'Only contacts who agreed to WhatsApp messages from you get them. Record on the contact how and when they agreed.'

/** After how many of those who are suppressed. */
const BARRED = { opted_out: 'opted out', unreachable: 'could not be reached before', suppressed: 'suppressed by you' }

/** Who is skipped, in words: an error where nobody is left, a warning otherwise. */
function exclusionProblems(
  { people, recipients, excluded, where }: WhatsAppAudience,
  category = '',
): WhatsAppProblem[] {
  const of = new Map(excluded.map(({ reason, people }) => [reason, people]))
  const kind = category.toLowerCase()
  const all = `of ${say(people)} ${people === 1 ? 'person' : 'people'}`
  const without = of.get('no_consent') ?? 0
  const uncovered = of.get('other_purpose') ?? 0
  const numberless = of.get('needs_number') ?? 0
  const unknown = of.get('no_phone') ?? 0
  const samples = of.get('sample') ?? 0
  const members = people + unknown + samples
  const problems: WhatsAppProblem[] = sampleProblems(samples, members, recipients, where)
  if (samples > 0 && samples === members) return problems
  if (people === 0 && of.has('excluded'))
    problems.push(error('no_recipients', `Everyone ${where} who can be reached is excluded. Exclude fewer people.`))
  else if (recipients === 0)
    problems.push(
      without + uncovered === 0
        ? error(
            'no_recipients',
            `No one ${where} can be reached: no confirmed contact has a phone number that may be messaged.`,
          )
        : uncovered === 0
          ? error(
              'no_consent',
              `No one ${where} can be reached: none ${all} with a phone number has a recorded consent. ${CONSENT}`,
            )
          : error(
              'other_purpose',
              `No one ${where} can be reached: none ${all} has a recorded consent that covers ${kind} messages. ${CONSENT}`,
            ),
    )
  const left = (count: number, code: WhatsAppProblemCode, why: string) => {
    if (count > 0 && recipients > 0)
      problems.push(warning(code, `${say(count)} ${all} ${count === 1 ? 'is' : 'are'} skipped: ${why}`))
  }
  left(without, 'no_consent', `no consent is recorded for them. ${CONSENT}`)
  left(
    uncovered,
    'other_purpose',
    `their consent does not cover ${kind} messages. Record one that does, if they gave it.`,
  )
  left(
    numberless,
    'needs_number',
    'WhatsApp hides their number, and an authentication template can only be sent to a number.',
  )
  const barred = (['opted_out', 'unreachable', 'suppressed'] as const).flatMap((reason) => {
    const count = of.get(reason) ?? 0
    return count > 0 ? [{ count, words: BARRED[reason] }] : []
  })
  left(
    barred.reduce((sum, { count }) => sum + count, 0),
    'suppressed',
    `${barred.map(({ count, words }) => `${say(count)} ${words}`).join(', ')}.`,
  )
  if (unknown === 1) problems.push(warning('no_phone', `One person ${where} has no phone number.`))
  else if (unknown > 1) problems.push(warning('no_phone', `${say(unknown)} people ${where} have no phone number.`))
  return problems
}

/** Who would not get it, and whose variables would be empty. */
async function audienceProblems(
  { db }: Services,
  campaign: CampaignRow,
  template: Template | undefined,
  number: NumberRow | undefined,
  variables: WhatsAppContent['variables'],
) {
  const used = template ? findVariables(template).map(({ key }) => key) : []
  const open = Object.entries(variables).flatMap(([key, value]) =>
    used.includes(key) && value.from === 'field' && value.fallback === '' ? [{ key, field: value.field }] : [],
  )
  const fields = open.map(({ field }) => field)
  const { found: audience, problems: unknown } = await readAudience(db, campaign, (db, audience) =>
    countWhatsAppAudience(db, audience, fields, template?.category),
  )
  if (!audience) return { recipients: 0, excluded: [], problems: unknown }
  const { recipients, excluded, american, empty } = audience
  const problems = exclusionProblems(audience, template?.category)
  open.forEach(({ key, field }, at) => {
    const lacking = empty[at] ?? 0
    if (lacking > 0)
      problems.push(
        error(
          'variable_empty',
          `“${key}” would be empty for ${say(lacking)} of ${say(recipients)} people, who have no ${field.replace('attributes.', '')}, and WhatsApp refuses empty variables. Add a fallback.`,
        ),
      )
  })
  if (american > 0 && template?.category.toUpperCase() === 'MARKETING')
    problems.push(
      warning(
        'us_marketing',
        `WhatsApp does not deliver marketing messages to numbers in the United States. ${american === 1 ? 'One number starts' : `${say(american)} numbers start`} with +1; those in the United States are skipped.`,
      ),
    )
  if (number?.dailyLimit && recipients > number.dailyLimit)
    problems.push(
      warning(
        'tier',
        `The campaign takes more than a day: ${number.displayPhone} and the other numbers of its portfolio may write to ${say(number.dailyLimit)} people in 24 hours. It waits and continues automatically.`,
      ),
    )
  return { recipients, excluded, problems }
}

/** What would stop or hurt a WhatsApp campaign, and how many people it would go to. */
export async function checkWhatsApp(services: Services, campaign: CampaignRow): Promise<Checked> {
  const { accountId, templateId, variables } = await parseContent(services.db, campaign)
  const number = accountId ? await numberById(services.db, campaign.workspaceId, accountId) : undefined
  const template = await findTemplate(services.db, campaign.workspaceId, templateId)
  const audience = await audienceProblems(services, campaign, template, number, variables)
  const problems = [
    ...numberProblems(services, number),
    ...templateProblems(template, number, variables),
    ...audience.problems,
  ]
  return { problems, recipients: audience.recipients, excluded: audience.excluded }
}

/** Who a WhatsApp campaign would go to, with the template it has so far. Throws Refusal 429. */
export async function countAudience({ db }: Services, campaign: CampaignRow): Promise<AudienceCount> {
  const { templateId } = await parseContent(db, campaign)
  const template = await findTemplate(db, campaign.workspaceId, templateId)
  const { found, problems } = await readAudience(db, campaign, (db, audience) =>
    countWhatsAppAudience(db, audience, [], template?.category),
  )
  const { recipients = 0, excluded = [], exampleId = null } = found ?? {}
  return { recipients, excluded, exampleId, problems }
}
