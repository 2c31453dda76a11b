import { type GmailAccount, gmailDailyCap } from '#contracts/gmail.ts'
import { READ_SCOPE } from '#server/adapters/google/consent.ts'
import type { SenderRow } from '../store.ts'
import { REVOKED } from './access.ts'
import { rampLimit } from './ramp.ts'

/** A grant that ends by itself within so long is said to be expiring. */
const SOON_MS = 7 * 24 * 3_600_000
/** The word in `scopes` of an app-password account whose mailbox may be looked into. */
export const IMAP = 'imap'
/** Any of these in `scopes`: replies and bounces are seen, through Gmail's API or over IMAP. */
export const READABLE = [READ_SCOPE, IMAP]

/** Whether replies and bounces of an account can be seen. */
export const readsMail = ({ gmailScopes }: Pick<SenderRow, 'gmailScopes'>) =>
  (gmailScopes ?? []).some((scope) => READABLE.includes(scope))

/** What is so with the permission of an account, and what to do about it. */
function healthOf(row: SenderRow): { health: GmailAccount['health']; healthText: string } {
  if (row.gmailRevokedAt) return { health: 'revoked', healthText: REVOKED }
  const until = row.gmailRefreshUntil?.getTime()
  if (until !== undefined && until <= Date.now())
    return { health: 'revoked', healthText: `The seven days of testing mode are over. ${TESTING}` }
  if (row.gmailBlockedAt) return { health: 'failing', healthText: row.gmailBlockedText ?? '' }
  if (row.state === 'failing') return { health: 'failing', healthText: row.stateText }
  if (until !== undefined && until - Date.now() < SOON_MS + 1_000)
    return { health: 'expiring', healthText: `This connection ends seven days after it was made. ${TESTING}` }
  if (row.state === 'untested') return { health: 'untested', healthText: '' }
  return { health: 'working', healthText: row.stateText }
}

const TESTING =
  'Google does so with a client whose consent screen is in testing mode. Publish the app in Google’s console (“In production”), then connect the account again.'

/** What people see of a Gmail account beside its sender; null for other senders. */
export function presentGmail(row: SenderRow): GmailAccount | null {
  if (row.kind !== 'gmail' || !row.gmailAccess || !row.gmailConnectedAt) return null
  const account = row.gmailAccount as GmailAccount['account']
  const cap = gmailDailyCap[account]
  return {
    access: row.gmailAccess as GmailAccount['access'],
    account,
    dailyCap: cap,
    reads: readsMail(row),
    readAt: row.gmailReadAt?.toISOString() ?? null,
    readText: row.gmailReadText ?? '',
    ownClient: row.gmailOwnClient ?? false,
    ...healthOf(row),
    blockedAt: row.gmailBlockedAt?.toISOString() ?? null,
    expiresAt: row.gmailRefreshUntil?.toISOString() ?? null,
    rampUp: row.gmailRampUp ?? false,
    sentToday: row.sentToday ?? 0,
    allowedToday: rampLimit(row.perDay ?? cap, row.gmailRampUp ?? false, row.gmailRampFrom, Date.now()),
    connectedAt: row.gmailConnectedAt.toISOString(),
  }
}
