import { type GmailAccount, gmailDailyCap } from '#contracts/gmail/gmail.ts'
import { READ_SCOPE } from '#server/adapters/google/consent.ts'
import { planLimit } from '#server/engine/index.ts'
import { type SenderRow, toPlan } from '#server/features/senders/index.ts'
import { REVOKED } from './access.ts'
import type { AccountRow } from './store.ts'

/** A grant that ends by itself within so long is said to be expiring. */
const SOON_MS = 7 * 24 * 3_600_000
/** The word in `scopes` of an app-password account whose mailbox may be looked into. */
export const IMAP = 'imap'
/** Any of these in `scopes`: replies and bounces are seen, through Gmail's API or over IMAP. */
export const READABLE = [READ_SCOPE, IMAP]

/** Whether replies and bounces of an account can be seen. */
const readsMail = ({ scopes }: AccountRow) => scopes.some((scope) => READABLE.includes(scope))

/** What is so with the permission of an account, and what to do about it. */
function findAccountHealth(row: SenderRow, own: AccountRow): { health: GmailAccount['health']; healthText: string } {
  if (own.revokedAt) return { health: 'revoked', healthText: REVOKED }
  const until = own.refreshUntil?.getTime()
  if (until !== undefined && until <= Date.now())
    return { health: 'revoked', healthText: `The seven days of testing mode have passed. ${TESTING}` }
  if (own.blockedAt) return { health: 'failing', healthText: own.blockedText }
  if (row.state === 'failing') return { health: 'failing', healthText: row.stateText }
  if (until !== undefined && until - Date.now() < SOON_MS + 1_000)
    return { health: 'expiring', healthText: `This connection ends seven days after it was made. ${TESTING}` }
  if (row.state === 'untested') return { health: 'untested', healthText: '' }
  return { health: 'working', healthText: row.stateText }
}

const TESTING =
  'Google does so with a client whose consent screen is in testing mode. Publish the app in Google’s console (“In production”), then connect the account again.'

/** What people see of a Gmail account beside its sender. */
export function presentAccount(row: SenderRow, own: AccountRow): GmailAccount {
  const account = own.account as GmailAccount['account']
  const cap = gmailDailyCap[account]
  return {
    access: own.access as GmailAccount['access'],
    account,
    dailyCap: cap,
    reads: readsMail(own),
    readAt: own.readAt?.toISOString() ?? null,
    readText: own.readText,
    ownClient: own.ownClient,
    ...findAccountHealth(row, own),
    blockedAt: own.blockedAt?.toISOString() ?? null,
    expiresAt: own.refreshUntil?.toISOString() ?? null,
    rampUp: row.rampDays !== null,
    sentToday: own.sentToday,
    allowedToday: planLimit(row.perDay ?? cap, toPlan(row), Date.now()) ?? cap,
    connectedAt: own.connectedAt.toISOString(),
  }
}
