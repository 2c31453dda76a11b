import { gmail as endpoints } from '#contracts/gmail/gmail.ts'
import type { GmailChannel } from '#server/adapters/google/channel.ts'
import { READ_SCOPE, SEND_SCOPE } from '#server/adapters/google/consent.ts'
import type { GoogleSettings } from '#server/adapters/google/sign-in.ts'
import { audit } from '#server/platform/audit.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import * as store from './store.ts'

export const GMAIL_MISSING =
  'Gmail is not set up on this installation: GMAIL_API_URL is not set. Its administrator can set it to https://gmail.googleapis.com.'

/** The channel, or a refusal that says what is missing. */
export function requireGmailChannel({ gmail }: Pick<Services, 'gmail'>): GmailChannel {
  if (gmail) return gmail
  throw conflict('gmail_not_configured', GMAIL_MISSING)
}

const secretContext = (workspaceId: string) => `gmail client:${workspaceId}`

/** Google's client a workspace connects with: its own, or else the installation's. undefined: there is none yet. */
export async function findGoogleClient(
  services: { gmail: GmailChannel | undefined; config: { secretKey: string } },
  db: Db,
  workspaceId: string,
): Promise<(GoogleSettings & { own: boolean }) | undefined> {
  if (!services.gmail) return undefined
  const { issuer, client } = services.gmail
  const own = await store.clientRow(db, workspaceId)
  if (own) {
    const clientSecret = decrypt(services.config.secretKey, own.secretEncrypted, secretContext(workspaceId))
    return { issuer, clientId: own.clientId, clientSecret, own: true }
  }
  return client && { issuer, ...client, own: false }
}

export const redirectUri = ({ config }: { config: Pick<Services['config'], 'publicUrl'> }) =>
  `${config.publicUrl}${endpoints.callback.path}`

/** What the guided page needs to say. */
export async function showSetup(services: Services, workspaceId: string) {
  const own = await store.clientRow(services.db, workspaceId)
  const clientId = own?.clientId ?? services.gmail?.client?.clientId
  return {
    available: services.gmail !== undefined,
    text: services.gmail ? '' : GMAIL_MISSING,
    redirectUri: redirectUri(services),
    sendScope: SEND_SCOPE,
    readScope: READ_SCOPE,
    client: clientId === undefined ? null : { clientId, own: own !== undefined },
  }
}

/** Keeps a workspace's own client, its secret sealed. */
export async function saveClient(
  services: Services,
  workspaceId: string,
  given: { clientId: string; clientSecret: string },
) {
  requireGmailChannel(services)
  const secretEncrypted = encrypt(services.config.secretKey, given.clientSecret, secretContext(workspaceId))
  await services.db.transaction().execute(async (db) => {
    await store.saveClient(db, workspaceId, { clientId: given.clientId, secretEncrypted })
    await audit(db, {
      action: 'sender_changed',
      subject: 'Google client',
      workspaceId,
      details: { clientId: given.clientId },
    })
  })
  return { client: { clientId: given.clientId, own: true } }
}

/** Forgets it. Accounts that were connected with it say by themselves that they have to be connected again. */
export async function removeClient(services: Services, workspaceId: string): Promise<void> {
  await services.db.transaction().execute(async (db) => {
    if (!(await store.deleteClient(db, workspaceId))) return
    await audit(db, { action: 'sender_removed', subject: 'Google client', workspaceId, details: {} })
  })
}
