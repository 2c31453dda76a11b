import type { WhatsAppApi } from '#server/adapters/whatsapp/api.ts'
import type { WhatsAppKeys } from '#server/adapters/whatsapp/call.ts'
import type { Config } from '#server/platform/config.ts'
import { decrypt, encrypt, seal, unseal } from '#server/platform/crypto.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import type { AccountFields, AccountRow } from './store.ts'

type Secret = Pick<Config, 'secretKey'>

const tokenContext = (id: string) => `whatsapp:${id}:token`
const secretContext = (id: string) => `whatsapp:${id}:secret`
const PURPOSE = 'whatsapp webhook'

/** What is stored of credentials; each is bound to its account and its place. */
export function sealKeys({ secretKey }: Secret, id: string, keys: Partial<WhatsAppKeys>): AccountFields {
  return {
    ...(keys.accessToken !== undefined && { tokenEncrypted: encrypt(secretKey, keys.accessToken, tokenContext(id)) }),
    ...(keys.appSecret !== undefined && { appSecretEncrypted: encrypt(secretKey, keys.appSecret, secretContext(id)) }),
  }
}

/** The credentials of an account; undefined when SECRET_KEY is another one than it was. */
export function openKeys(
  { secretKey }: Secret,
  row: Pick<AccountRow, 'id' | 'tokenEncrypted' | 'appSecretEncrypted'>,
): WhatsAppKeys | undefined {
  try {
    return {
      accessToken: decrypt(secretKey, row.tokenEncrypted, tokenContext(row.id)),
      appSecret: decrypt(secretKey, row.appSecretEncrypted, secretContext(row.id)),
    }
  } catch {
    return undefined
  }
}

/** The credentials of an account, or a refusal that says what to do. */
export function needKeys(config: Secret, row: AccountRow): WhatsAppKeys {
  const keys = openKeys(config, row)
  if (!keys)
    throw new Refusal(
      409,
      'reconnect',
      'The stored token can no longer be read, because SECRET_KEY changed. Enter the access token and the app secret again.',
    )
  return keys
}

export const NOT_CONFIGURED =
  'WhatsApp is not configured on this installation: the operator sets WHATSAPP_API_URL, such as https://graph.facebook.com/v25.0.'

/** Meta's API, or a refusal where there is none. */
export function needApi({ whatsapp }: Pick<Services, 'whatsapp'>): WhatsAppApi {
  if (!whatsapp) throw new Refusal(409, 'not_configured', NOT_CONFIGURED)
  return whatsapp
}

/** The URL Meta calls, and the token it has to send: made of the workspace, so that they are known before anything is stored. */
export const buildCallback = (config: Pick<Config, 'secretKey' | 'publicUrl'>, workspaceId: string) => ({
  url: `${config.publicUrl}/api/whatsapp/webhook`,
  verifyToken: seal(config.secretKey, PURPOSE, workspaceId),
})

export const isVerifyToken = ({ secretKey }: Secret, token: string): boolean =>
  unseal(secretKey, PURPOSE, token) !== undefined
