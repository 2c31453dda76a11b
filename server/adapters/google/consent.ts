import * as oidc from 'openid-client'
import type { Attempt, GoogleSettings } from './sign-in.ts'

/** Sending, and nothing else. */
export const SEND_SCOPE = 'https://www.googleapis.com/auth/gmail.send'
/** Reading, to see replies and bounces. */
export const READ_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly'

/** What somebody granted at Google's consent page. */
export interface Grant {
  subject: string
  email: string
  /** An address of an organization (Workspace) and not of gmail.com. */
  isWorkspace: boolean
  scopes: string[]
  refreshToken: string | undefined
  accessToken: string
  accessUntil: Date
  /** When the grant ends by itself; null: not known to. */
  refreshUntil: Date | null
}

/** A fresh access token; Google may hand out a new refresh token with it. */
export type Refreshed = Pick<Grant, 'accessToken' | 'accessUntil' | 'refreshToken' | 'scopes'>

/**
 * `denied`: the person said no. `revoked`: the grant has ended, whatever the reason. `client`: Google does not know this
 * client or its secret. `failed`: Google is down, slow, or cannot be trusted; worth another try.
 */
export class ConsentProblem extends Error {
  readonly kind: 'denied' | 'revoked' | 'client' | 'failed'
  constructor(kind: ConsentProblem['kind'], message: string) {
    super(message)
    this.name = 'ConsentProblem'
    this.kind = kind
  }
}

const CALL_SECONDS = 8
const REDISCOVER_MS = 3_600_000
const known = new Map<string, { config: Promise<oidc.Configuration>; until: number }>()

function discovered({ issuer, clientId, clientSecret }: GoogleSettings): Promise<oidc.Configuration> {
  const key = JSON.stringify([issuer, clientId, clientSecret])
  const found = known.get(key)
  if (found && found.until > Date.now()) return found.config
  const config = oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: CALL_SECONDS,
    execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
  })
  known.set(key, { config, until: Date.now() + REDISCOVER_MS })
  config.catch(() => known.delete(key))
  return config
}

/** Google's consent page for sending, and for reading where asked. Throws ConsentProblem. */
export async function beginConsent(
  client: GoogleSettings,
  redirectUri: string,
  { state, nonce, verifier }: Attempt,
  asked: { reads: boolean; email?: string | undefined },
): Promise<URL> {
  try {
    return oidc.buildAuthorizationUrl(await discovered(client), {
      redirect_uri: redirectUri,
      scope: ['openid', 'email', SEND_SCOPE, ...(asked.reads ? [READ_SCOPE] : [])].join(' '),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      access_type: 'offline',
      // Without it Google gives a refresh token only the first time.
      prompt: 'consent',
      ...(asked.email && { login_hint: asked.email }),
    })
  } catch (error) {
    throw toConsentProblem(error)
  }
}

/** Turns the query the browser returned with into a grant. Throws ConsentProblem; its text holds no secrets. */
export async function finishConsent(
  client: GoogleSettings,
  redirectUri: string,
  search: string,
  { state, nonce, verifier }: Attempt,
): Promise<Grant> {
  try {
    const config = await discovered(client)
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}${search}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (typeof claims?.email !== 'string') throw new ConsentProblem('failed', 'the answer names no address')
    const lasts = Number(tokens.refresh_token_expires_in)
    return {
      subject: claims.sub,
      email: claims.email,
      isWorkspace: typeof claims.hd === 'string',
      scopes: parseScopes(tokens),
      refreshToken: tokens.refresh_token,
      ...toAccessToken(tokens),
      refreshUntil: lasts > 0 ? new Date(Date.now() + lasts * 1_000) : null,
    }
  } catch (error) {
    throw toConsentProblem(error)
  }
}

/** Asks for a new access token. Throws ConsentProblem; `revoked` is final. */
export async function refreshAccess(client: GoogleSettings, refreshToken: string): Promise<Refreshed> {
  try {
    const tokens = await oidc.refreshTokenGrant(await discovered(client), refreshToken)
    return { ...toAccessToken(tokens), refreshToken: tokens.refresh_token, scopes: parseScopes(tokens) }
  } catch (error) {
    throw toConsentProblem(error)
  }
}

/** Ends a grant at Google. One that has ended already is as good. Throws ConsentProblem `failed`. */
export async function revokeGrant(client: GoogleSettings, refreshToken: string): Promise<void> {
  try {
    await oidc.tokenRevocation(await discovered(client), refreshToken)
  } catch (error) {
    if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_token') return
    throw toConsentProblem(error)
  }
}

type Tokens = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>

const parseScopes = (tokens: Tokens) => (tokens.scope ?? '').split(' ').filter(Boolean)

function toAccessToken(tokens: Tokens): { accessToken: string; accessUntil: Date } {
  return {
    accessToken: tokens.access_token,
    accessUntil: new Date(Date.now() + (tokens.expiresIn() ?? 3_600) * 1_000),
  }
}

/** The library's errors carry whole responses, tokens included, as their cause: only texts that are safe to log are taken. */
function toConsentProblem(error: unknown): ConsentProblem {
  if (error instanceof ConsentProblem) return error
  const { name, message, code, error: word } = error as Error & { code?: unknown; error?: unknown }
  const words = [name, code, word].filter((part) => typeof part === 'string' && /^[\w.-]{1,60}$/.test(part))
  const text = `${words.join(' ')}: ${String(message).slice(0, 200)}`
  if (error instanceof oidc.AuthorizationResponseError && word === 'access_denied')
    return new ConsentProblem('denied', 'the person said no')
  if (word === 'invalid_grant') return new ConsentProblem('revoked', text)
  if (word === 'invalid_client' || word === 'unauthorized_client' || word === 'deleted_client')
    return new ConsentProblem('client', text)
  return new ConsentProblem('failed', text)
}
