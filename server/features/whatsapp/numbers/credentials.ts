import type { CredentialCheck } from '#contracts/whatsapp/numbers.ts'
import type { NumberFacts, WhatsAppApi } from '#server/adapters/whatsapp/api.ts'
import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import { WhatsAppProblem } from '#server/adapters/whatsapp/problem.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { toQuality } from '../templates/store.ts'

export interface Credentials {
  phoneNumberId: string
  businessAccountId: string
  accessToken: string
  appSecret: string
}

export interface Tried {
  checks: CredentialCheck[]
  facts: (NumberFacts & { portfolioId: string }) | undefined
}

/** 502: Meta could not be asked, so nothing is known and nothing was saved. */
export const unreachable = (problem: WhatsAppProblem) =>
  new Refusal(502, 'whatsapp_unreachable', `${problem.message} Nothing was changed; try again in a moment.`)

type Said<T> = { value: T; problem?: undefined } | { value?: undefined; problem: WhatsAppProblem }

async function ask<T>(call: () => Promise<T>): Promise<Said<T>> {
  try {
    return { value: await call() }
  } catch (error) {
    if (!(error instanceof WhatsAppProblem)) throw error
    if (error.kind !== 'refused') throw unreachable(error)
    return { problem: error }
  }
}

const isProofRefused = (problem: WhatsAppProblem | undefined) => problem?.message.includes('appsecret_proof') === true
const isToken = (problem: WhatsAppProblem | undefined) => findCodeMeaning(problem?.code ?? -1).action === 'reconnect'
const isPermission = (code: number) => code === 3 || code === 10 || code === 131005 || (code >= 200 && code <= 299)

const good = (field: CredentialCheck['field'], message: string): CredentialCheck => ({ field, ok: true, message })
const bad = (field: CredentialCheck['field'], message: string): CredentialCheck => ({ field, ok: false, message })
const untried = (field: CredentialCheck['field']): CredentialCheck => ({
  field,
  ok: null,
  message: 'Not checked yet: an earlier value is incorrect.',
})

/** What a refusal says about the number that was asked for. */
function numberTrouble(problem: WhatsAppProblem): CredentialCheck {
  if (isPermission(problem.code))
    return bad(
      'phoneNumberId',
      'This token may not use this number. It belongs to another business, or the token lacks the permission whatsapp_business_messaging.',
    )
  return bad(
    'phoneNumberId',
    'Meta does not know this phone number id, or this token has no access to it. Find it under WhatsApp, API Setup. It is not the phone number itself.',
  )
}

function businessTrouble(problem: WhatsAppProblem): CredentialCheck {
  if (isPermission(problem.code))
    return bad(
      'businessAccountId',
      'This token may not manage this account. Give it the permission whatsapp_business_management.',
    )
  return bad(
    'businessAccountId',
    'Meta does not know this WhatsApp business account, or this token has no access to it. Find it beside the phone number id.',
  )
}

/** Tries each value with a real call and says of each whether it is right. Throws Refusal 502 when Meta cannot be asked. */
export async function tryCredentials(api: WhatsAppApi, given: Credentials): Promise<Tried> {
  const { accessToken, appSecret, phoneNumberId, businessAccountId } = given
  const proven = await ask(() => api.number({ accessToken, appSecret }, phoneNumberId))
  const isSecretWrong = isProofRefused(proven.problem)
  const secret = isSecretWrong
    ? bad('appSecret', 'This secret does not belong to the app of the token. Find it under App settings, Basic.')
    : good('appSecret', 'Belongs to the token’s app.')
  // A wrong proof hides what is said about the rest: ask without one.
  const keys = { accessToken, appSecret: isSecretWrong ? '' : appSecret }
  const number = isSecretWrong ? await ask(() => api.number(keys, phoneNumberId)) : proven
  if (isToken(number.problem))
    return {
      facts: undefined,
      checks: [
        bad(
          'accessToken',
          `Meta does not accept this token: ${number.problem?.subcode === 463 ? 'it has expired' : 'it is not valid'}. Use one of a system user; those do not expire.`,
        ),
        untried('phoneNumberId'),
        untried('businessAccountId'),
        untried('appSecret'),
      ],
    }
  const business = await ask(() => api.business(keys, businessAccountId))
  const owned = business.problem ? undefined : await ask(() => api.listNumberIds(keys, businessAccountId))
  const isOther = owned?.value !== undefined && number.value !== undefined && !owned.value.includes(phoneNumberId)
  const checks = [
    good('accessToken', 'Meta accepts this token.'),
    number.problem
      ? numberTrouble(number.problem)
      : good('phoneNumberId', `${number.value.displayPhone}, ${number.value.verifiedName}`),
    business.problem
      ? businessTrouble(business.problem)
      : isOther
        ? bad('businessAccountId', 'This account does not have that number.')
        : good('businessAccountId', business.value.name),
    secret,
  ]
  const facts = number.value &&
    business.value && { ...number.value, portfolioId: business.value.portfolioId || businessAccountId }
  return { checks, facts: checks.every(({ ok }) => ok) ? facts : undefined }
}

/** Meta's words for a messaging limit; TIER_UNLIMITED is none, and so is a word that is not known yet. */
const LIMITS: Record<string, number> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1_000,
  TIER_2K: 2_000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
}

/** What Meta says of a number, as it is stored. */
export function toStoredFacts({ displayPhone, verifiedName, quality, tier, level }: NumberFacts) {
  return {
    displayPhone,
    verifiedName,
    quality: toQuality(quality),
    tier,
    dailyLimit: LIMITS[tier] ?? null,
    perSecond: level === 'HIGH' ? 1_000 : 80,
  }
}

/** The messaging limit by Meta's word; null: unknown or without one. */
export const findMessagingLimit = (tier: string): number | null => LIMITS[tier] ?? null
