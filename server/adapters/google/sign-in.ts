import * as oidc from 'openid-client'

/** Where to sign in: Google, any other OpenID Connect issuer, or the sandbox's. */
export interface GoogleSettings {
  issuer: string
  clientId: string
  clientSecret: string
}

/** What one sign-in has to bring back: stored in the browser, sealed, until it returns from the issuer. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

/** Who returned, as the issuer signed it. */
export interface GoogleProfile {
  issuer: string
  subject: string
  email: string | undefined
  /** Only what the issuer says with the literal true: everything else is an address somebody merely typed. */
  emailVerified: boolean
  name: string | undefined
}

/** Signing in did not work. `denied`: the person said no; `failed`: the issuer is down, slow, refuses or cannot be trusted. */
export class GoogleProblem extends Error {
  readonly kind: 'denied' | 'failed'
  constructor(kind: 'denied' | 'failed', message: string) {
    super(message)
    this.name = 'GoogleProblem'
    this.kind = kind
  }
}

/** Sign-in by OpenID Connect: authorization code, PKCE (S256), state, nonce, and a signature that is always checked. */
export interface GoogleSignIn {
  /** The issuer's page to lead the browser to. Throws GoogleProblem. */
  begin(attempt: Attempt): Promise<URL>
  /** Turns the query the browser returned with into a person. Throws GoogleProblem; its text holds no secrets. */
  finish(search: string, attempt: Attempt): Promise<GoogleProfile>
}

/** Seconds any one call to the issuer may take: someone waits in front of an empty page meanwhile. */
const CALL_SECONDS = 8
/** What the issuer says of itself is asked again after an hour. */
const REDISCOVER_MS = 3_600_000

/** A fresh attempt: three random values of 256 bits. */
export function newAttempt(): Attempt {
  return { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
}

/**
 * Signs in at the configured issuer. Its address is the operator's word, as a mail server's is: no egress rules apply.
 * `redirectUri` is where the issuer leads back to, always below PUBLIC_URL.
 */
export function googleSignIn(settings: GoogleSettings, redirectUri: string, seconds = CALL_SECONDS): GoogleSignIn {
  let known: { config: Promise<oidc.Configuration>; until: number } | undefined

  async function discovered(): Promise<oidc.Configuration> {
    if (known && known.until > Date.now()) return known.config
    const found = { config: discover(settings, seconds), until: Date.now() + REDISCOVER_MS }
    known = found
    // A failure is not remembered: the next person asks again.
    found.config.catch(() => {
      if (known === found) known = undefined
    })
    return found.config
  }

  return {
    async begin({ state, nonce, verifier }) {
      try {
        return oidc.buildAuthorizationUrl(await discovered(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          prompt: 'select_account',
        })
      } catch (error) {
        throw toGoogleProblem(error)
      }
    },
    async finish(search, { state, nonce, verifier }) {
      try {
        const config = await discovered()
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return await readProfile(config, tokens)
      } catch (error) {
        throw toGoogleProblem(error)
      }
    },
  }
}

function discover({ issuer, clientId, clientSecret }: GoogleSettings, timeout: number): Promise<oidc.Configuration> {
  return oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout,
    execute: [
      // By itself the library trusts the connection; the signature is to be checked whatever the connection is.
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  })
}

const toText = (claim: unknown) => (typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined)

/** The signed claims, and the issuer's user info for an address that is not among them. */
async function readProfile(
  config: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<GoogleProfile> {
  const claims = tokens.claims()
  if (!claims) throw new GoogleProblem('failed', 'the issuer sent no ID token')
  const asked =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: toText(asked.email),
    emailVerified: asked.email_verified === true,
    name: toText(asked.name),
  }
}

/** The library's errors carry whole responses, tokens included, as their cause: only texts that are safe to log are taken. */
function toGoogleProblem(error: unknown): GoogleProblem {
  if (error instanceof GoogleProblem) return error
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
    return new GoogleProblem('denied', 'the person said no')
  const { name, message, code, error: word } = error as Error & { code?: unknown; error?: unknown }
  const words = [name, code, word].filter((part) => typeof part === 'string' && /^[\w.-]{1,60}$/.test(part))
  return new GoogleProblem('failed', `${words.join(' ')}: ${String(message).slice(0, 200)}`)
}
