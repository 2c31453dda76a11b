import { compile, createTokens, type Draft, prepare, signReturnAddress, splice } from '#server/engine/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { SendingAccount } from '../../sender-kind.ts'
import { feedbackHost } from '../dmarc/report-address.ts'
import { findReturnPath } from '../return-path.ts'
import { findSigner, signWhole } from '../signer.ts'
import { findLinkBase } from '../tracking-host.ts'
import type { LoopbackRow } from './store.ts'

/** Of no real domain: what the sandbox takes for it never leaves this machine. */
const SANDBOX_HOST = 'receiver.example'

/** Where emails arrive here that a sender sends; undefined: nowhere. */
export function findArrivalHost(
  { config, sandbox }: Pick<Services, 'config' | 'sandbox'>,
  account: { isDefault: boolean },
): string | undefined {
  if (isInSandbox({ sandbox }, account)) return SANDBOX_HOST
  return config.bounceSmtp ? feedbackHost(config) : undefined
}

/** Whether a sender's emails stay on this machine. */
export const isInSandbox = ({ sandbox }: Pick<Services, 'sandbox'>, { isDefault }: { isDefault: boolean }): boolean =>
  sandbox && isDefault

const readTokens = (secretKey: string) => createTokens(deriveKey(secretKey, 'message tokens'))

/** The address that the email of a check goes to: nobody else can make it, and nobody can choose it. */
export const buildArrivalAddress = (secretKey: string, id: string, host: string): string =>
  signReturnAddress(readTokens(secretKey), 'loopback', id, host)

/**
 * The email of a check, made as a campaign's is: compiled, with the links, headers, signatures and return path of its From domain.
 * Throws UnusableSender.
 */
export async function buildEmail(
  services: Pick<Services, 'db' | 'config'>,
  account: SendingAccount,
  { workspaceId, id, host, nonce }: LoopbackRow,
): Promise<{ from: string; to: string; data: Buffer; needsSmtpUtf8: boolean; returnsTo: string | undefined }> {
  const { config } = services
  const tokens = readTokens(config.secretKey)
  const draft = await buildDraft(services, account, workspaceId, nonce)
  const recipient = { id: '0', email: buildArrivalAddress(config.secretKey, id, host) }
  const message = splice(prepare(await compile(draft), tokens), recipient)
  const returnsTo = await findReturnPath(services, workspaceId, account, account.fromEmail)
  const signer = await findSigner(services, workspaceId, account, message.from)
  const { from, to, needsSmtpUtf8 } = message
  return {
    ...{ to, needsSmtpUtf8, returnsTo },
    from: returnsTo === undefined ? from : buildArrivalAddress(config.secretKey, id, returnsTo),
    data: await signWhole(signer, message.data),
  }
}

async function buildDraft(
  { db, config }: { db: Db; config: Services['config'] },
  account: SendingAccount,
  workspaceId: string,
  nonce: string,
): Promise<Draft> {
  const base = (await findLinkBase({ db, config }, workspaceId, account.fromEmail)) ?? config.publicUrl
  const { company, postalAddress } = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['company', 'postalAddress'])
    .executeTakeFirstOrThrow()
  return {
    subject: `Delivery check ${nonce}`,
    html: '<p>This email checks how emails of this sender arrive. It is read on arrival and not stored.</p>',
    from: { name: account.fromName || null, address: account.fromEmail },
    ...{ trackOpens: false, trackClicks: false, publicUrl: base },
    footer: { company, postalAddress },
    listId: `w${workspaceId}.l0`,
    listName: company || null,
    feedbackId: `c0:w${workspaceId}:check:postlark`,
  }
}
