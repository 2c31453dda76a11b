import { gmailDailyCap, gmailPerMinute } from '#contracts/gmail/gmail.ts'
import { parseAddress } from '#server/engine/index.ts'
import { requireRoomForSender } from '#server/features/billing/index.ts'
import {
  forgetState,
  insertSender,
  limitTries,
  type NewSender,
  newSlowStart,
  type Saved,
  type SenderChange,
  type SenderContext,
  type SenderFields,
  type SenderRow,
  sealPassword,
  updateSender,
} from '#server/features/senders/index.ts'
import { audit } from '#server/platform/audit.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import { IMAP } from './health.ts'
import { requireGmailChannel } from './setup.ts'
import { type AccountRow, insertAccount, updateAccount } from './store.ts'

type NewAccount = Extract<NewSender, { kind: 'gmail' }>

/** What an app password may be used for beside sending. */
const appPasswordScopes = (reads: boolean) => (reads ? [IMAP] : [])

/** The day's limit as given, no higher than Google's own. Throws Refusal 400. */
function dayLimit(given: number | null | undefined, account: keyof typeof gmailDailyCap): number {
  const cap = gmailDailyCap[account]
  if (given !== undefined && given !== null && given > cap)
    throw invalid(
      'limits.perDay',
      `must be ${cap.toLocaleString('en')} or less: more is not possible with this account`,
    )
  return given ?? cap
}

function checkLimits(limits: SenderChange['limits']): void {
  if (typeof limits?.perSecond === 'number') throw invalid('limits.perSecond', 'is set by the minute: use perMinute')
  if (limits?.connections !== undefined && limits.connections !== 1)
    throw invalid('limits.connections', 'is 1 for a Gmail account')
}

/** Stores a Gmail account that sends over smtp.gmail.com; not tried yet. Returns its id. Throws Refusal 400, 402, 409 or 429. */
export async function insertByPassword(
  services: SenderContext,
  workspaceId: string,
  given: NewAccount,
): Promise<string> {
  await limitTries(services, workspaceId)
  requireGmailChannel(services)
  const address = parseAddress(given.email)
  if (!address) throw invalid('email', 'is not an email address')
  const account = /@(gmail|googlemail)\.com$/i.test(given.email) ? 'consumer' : 'workspace'
  const fields = {
    kind: 'gmail' as const,
    name: given.name || given.email,
    username: address.address,
    fromName: given.fromName,
    fromEmail: address.address,
    perDay: dayLimit(given.limits?.perDay, account),
    perMinute: given.limits?.perMinute ?? gmailPerMinute.default,
    connections: 1,
    ...newSlowStart(given.rampUp),
  }
  const seal = (id: string) => sealPassword(services.config.secretKey, id, given.appPassword)
  return services.db.transaction().execute(async (db) => {
    const known = await db
      .selectFrom('senders')
      .where('workspaceId', '=', workspaceId)
      .where('kind', '=', 'gmail')
      .where('fromEmail', '=', address.address)
      .select('id')
      .executeTakeFirst()
    if (known) throw conflict('already_connected', `${address.address} is already connected.`)
    await requireRoomForSender(services, db, workspaceId)
    await audit(db, {
      action: 'sender_added',
      subject: fields.name,
      workspaceId,
      details: { gmail: 'app password', user: address.address },
    })
    const id = await insertSender(db, workspaceId, fields, seal)
    await insertAccount(db, workspaceId, id, {
      access: 'app_password',
      account,
      scopes: appPasswordScopes(given.reads),
    })
    return id
  })
}

const FIXED = ['host', 'port', 'secure', 'user', 'fromEmail'] as const

function checkChange({ access }: AccountRow, given: SenderChange): void {
  const fixed = FIXED.find((field) => given[field] !== undefined)
  if (fixed) throw invalid(fixed, 'of a Gmail account is set by Google and cannot be changed')
  const byPassword = access === 'app_password'
  if (given.password !== undefined && !byPassword)
    throw invalid('password', 'is not used by this account: it was connected at Google')
  if (given.reads !== undefined && !byPassword)
    throw invalid('reads', 'of this account is granted at Google: connect it again')
  checkLimits(given.limits)
}

/** Changes what can be changed of a Gmail account. Throws Refusal 400, or 429 after the change. */
export async function changeGmail(
  services: SenderContext,
  row: SenderRow,
  own: AccountRow,
  given: SenderChange,
): Promise<Saved> {
  checkChange(own, given)
  const password = given.password?.replace(/\s+/g, '')
  if (password !== undefined && !/^[a-z]{16}$/i.test(password))
    throw invalid('password', 'is 16 letters, as Google shows it')
  const { name, fromName, limits, rampUp, reads } = given
  const account = own.account as keyof typeof gmailDailyCap
  const fields: SenderFields = {
    ...(name !== undefined && { name }),
    ...(fromName !== undefined && { fromName }),
    ...(limits?.perDay !== undefined && { perDay: dayLimit(limits.perDay, account) }),
    ...(limits?.perMinute !== undefined && { perMinute: limits.perMinute }),
    // Turned on again it begins anew.
    ...(rampUp !== undefined && rampUp !== (row.rampDays !== null) && newSlowStart(rampUp)),
    ...(password !== undefined && { passwordEncrypted: sealPassword(services.config.secretKey, row.id, password) }),
  }
  await services.db.transaction().execute(async (db) => {
    await updateSender(db, row.workspaceId, row.id, fields)
    if (reads !== undefined)
      await updateAccount(db, row.workspaceId, row.id, { scopes: appPasswordScopes(reads) }, false)
    const changed = [...(password === undefined ? [] : ['password']), ...(reads === undefined ? [] : ['reads'])]
    if (changed.length > 0) {
      const { name: subject, workspaceId } = row
      await audit(db, { action: 'sender_changed', subject, workspaceId, details: { changed } })
    }
    if (password === undefined) return
    await updateAccount(db, row.workspaceId, row.id, {}, true)
    await forgetState(db, row.workspaceId, row.id)
  })
  if (password !== undefined) await limitTries(services, row.workspaceId)
  return { reconnects: password !== undefined }
}
