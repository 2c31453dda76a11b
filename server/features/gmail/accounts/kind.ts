import type { GmailChannel } from '#server/adapters/google/channel.ts'
import { connectGmail } from '#server/adapters/google/gmail-connection.ts'
import { connectGmailSmtp } from '#server/adapters/google/gmail-smtp.ts'
import { buildMark, deriveMarkKey, MARK_HEADER } from '#server/adapters/sandbox/workspace-mark.ts'
import { planLimit, type SmtpOptions } from '#server/engine/index.ts'
import {
  type CommonAccount,
  ehloNameFor,
  type KindSender,
  type NewSender,
  openPassword,
  operatorSmtp,
  poolKey,
  type SenderKind,
  type SenderRow,
  type SenderServices,
  toPlan,
  UnusableSender,
} from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { openAccess } from './access.ts'
import { changeGmail, insertByPassword } from './app-password.ts'
import { queueRevoke } from './connect.ts'
import type { GmailAccount } from './gmail-account.ts'
import { presentAccount } from './health.ts'
import { GMAIL_MISSING } from './setup.ts'
import * as store from './store.ts'

/** smtp.gmail.com, or where the operator says it is. */
function smtpOptions(services: SenderServices, { smtpUrl, isSandbox }: GmailChannel, row: SenderRow): SmtpOptions {
  return {
    ...operatorSmtp(smtpUrl),
    auth: { user: row.username ?? row.fromEmail, password: openPassword(services.config.secretKey, row) },
    ehloName: ehloNameFor(services, row.workspaceId, isSandbox.smtp),
  }
}

/** How the messages of an account leave: through Gmail's API, or over smtp.gmail.com by app password. */
function openConnection(
  services: SenderServices,
  db: Db,
  row: SenderRow,
  own: store.AccountRow,
): Pick<GmailAccount, 'connect' | 'smtp' | 'key'> {
  const { gmail } = services
  if (!gmail) throw new UnusableSender(GMAIL_MISSING)
  if (own.access === 'oauth') {
    const access = openAccess(services, db, row.id)
    const key = poolKey(row.id, gmail.apiUrl, own.connectedAt)
    const headers: Record<string, string> = {}
    if (gmail.isSandbox.api) headers[MARK_HEADER] = buildMark(deriveMarkKey(services.config.secretKey), row.workspaceId)
    return { smtp: null, connect: () => connectGmail(gmail.apiUrl, access, headers), key }
  }
  const smtp = smtpOptions(services, gmail, row)
  const { host, port, secure, auth } = smtp
  return {
    smtp,
    connect: (habits, timeouts) => connectGmailSmtp({ ...smtp, ...(timeouts && { timeouts }) }, habits),
    key: poolKey(row.id, host, port, secure, auth),
  }
}

function openAccount(
  services: SenderServices,
  db: Db,
  row: SenderRow,
  own: store.AccountRow,
  common: CommonAccount,
): GmailAccount {
  const { perMinute, slotIn } = row
  return {
    ...common,
    ...openConnection(services, db, row, own),
    kind: 'gmail',
    signsItself: true,
    perMinute,
    slotIn,
    dayLimit: planLimit(common.perDay, toPlan(row), Date.now()),
    revoked: own.revokedAt !== null,
    blocked: own.blockedAt ? own.blockedText : null,
  }
}

const kindSender = (services: SenderServices, db: Db, row: SenderRow, own: store.AccountRow): KindSender => ({
  missing: services.gmail === undefined ? GMAIL_MISSING : undefined,
  present: () => ({ kind: 'gmail', gmail: presentAccount(row, own) }),
  open: (common) => openAccount(services, db, row, own, common),
  change: (context, given) => changeGmail(context, row, own, given),
  release: (db) => store.release(db, row.workspaceId, row.id),
  beforeRemoval: (context, db) => queueRevoke(context, db, row),
})

/** A Gmail account: connected at Google (see connect.ts), or by app password. */
export const gmailAccount: SenderKind = {
  id: 'gmail',
  label: 'Gmail',
  senders: 'Gmail accounts',
  fields: ['rampUp', 'reads', 'limits.perMinute'],
  create: async (services, workspaceId, given: Extract<NewSender, { kind: 'gmail' }>) => ({
    id: await insertByPassword(services, workspaceId, given),
  }),
  async read(services, db, workspaceId, rows) {
    const ids = rows.map(({ id }) => id)
    const accounts = await store.accountRows(db, workspaceId, ids)
    const found = new Map<string, KindSender>()
    for (const row of rows) {
      const own = accounts.get(row.id)
      if (own) found.set(row.id, kindSender(services, db, row, own))
    }
    return found
  },
}
