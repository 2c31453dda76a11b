import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { AuthorizationRequest, Person } from './authorization.ts'
import { Expiring } from './expiring.ts'

const ID_TOKEN_SECONDS = 3_600
const KEY_ID = 'sandbox'

/** A grant of a client in testing mode lives so long. */
const TESTING_SECONDS = 7 * 86_400

export interface Grant {
  person: Person
  scopes: string[]
  clientId: string
  /** Ends every token of it once revoked. */
  id: string
  /** Seconds from consent to its end; null: it lasts. */
  lasts: number | null
}

/** What somebody answered on the consent page. */
export interface Consent {
  person: Person
  request: AuthorizationRequest
  /** The scopes that were granted: boxes may be left empty. */
  scopes: string[]
  testing: boolean
}

/** A refusal of the token endpoint (RFC 6749, 5.2). */
export class TokenRefusal extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, description: string, status = 400) {
    super(description)
    this.code = code
    this.status = status
  }
}

/** What the issuer has handed out: codes that work once, access tokens, refresh tokens. All in memory. */
export class Tokens {
  readonly #issuer: string
  readonly #codes = new Expiring<Consent>(60)
  readonly #access = new Expiring<Grant>(ID_TOKEN_SECONDS)
  readonly #refresh = new Expiring<Grant & { until: number }>(365 * 86_400)
  readonly #revoked = new Set<string>()
  #key: ReturnType<typeof generateKeyPair> | undefined

  constructor(issuer: string) {
    this.#issuer = issuer
  }

  /** Made when first needed: most processes never sign anybody in. */
  #keys() {
    this.#key ??= generateKeyPair('RS256')
    return this.#key
  }

  async jwks(): Promise<{ keys: JWK[] }> {
    const { publicKey } = await this.#keys()
    return { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] }
  }

  /** The code the browser carries back to the application. */
  code(consent: Consent): string {
    return this.#codes.put(consent)
  }

  /** Who an access token stands for. */
  findHolder(accessToken: string): Grant | undefined {
    const held = this.#access.get(accessToken)
    return held && !this.#revoked.has(held.id) ? held : undefined
  }

  /** Ends a grant by any of its tokens. Returns whether the token was known. */
  revoke(token: string): boolean {
    const held = this.#access.get(token) ?? this.#refresh.get(token)
    if (held) this.#revoked.add(held.id)
    return held !== undefined
  }

  /** As if the person had taken every permission back, or its time had come. */
  revokeAll(email: string): void {
    for (const held of [...this.#refresh.values(), ...this.#access.values()])
      if (held.person.email.toLowerCase() === email.toLowerCase()) this.#revoked.add(held.id)
  }

  /** Ends the access tokens of a person, as an hour does. */
  expireAccess(email: string): void {
    this.#access.drop((held) => held.person.email.toLowerCase() === email.toLowerCase())
  }

  /** Returns the token endpoint. Throws TokenRefusal. */
  async grant(form: URLSearchParams, clientId: string) {
    if (form.get('grant_type') === 'refresh_token') {
      const held = this.#refresh.get(form.get('refresh_token'))
      if (!held || held.clientId !== clientId || held.until < Date.now() || this.#revoked.has(held.id))
        throw new TokenRefusal('invalid_grant', 'Token has been expired or revoked.')
      return this.#buildResponse(held, null)
    }
    if (form.get('grant_type') !== 'authorization_code')
      throw new TokenRefusal('unsupported_grant_type', 'authorization_code and refresh_token are served')
    const given = this.#codes.take(form.get('code'))
    if (!given) throw new TokenRefusal('invalid_grant', 'this code is not known, or was used already')
    const { person, request, scopes, testing } = given
    if (request.clientId !== clientId) throw new TokenRefusal('invalid_grant', 'this code is for another client')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (challenge !== request.challenge) throw new TokenRefusal('invalid_grant', 'the code verifier does not fit')
    if (form.get('redirect_uri') !== request.redirectUri)
      throw new TokenRefusal('invalid_grant', 'the redirect address does not fit')
    const lasts = testing ? TESTING_SECONDS : null
    const held: Grant = { person, scopes, clientId, id: randomUUID(), lasts }
    const until = Date.now() + (lasts ?? 365 * 86_400) * 1_000
    return {
      ...(await this.#buildResponse(held, request.nonce)),
      ...(request.offline && { refresh_token: this.#refresh.put({ ...held, until }) }),
      ...(request.offline && lasts !== null && { refresh_token_expires_in: lasts }),
    }
  }

  async #buildResponse(held: Grant, nonce: string | null) {
    return {
      token_type: 'Bearer',
      access_token: this.#access.put(held),
      expires_in: ID_TOKEN_SECONDS,
      scope: held.scopes.join(' '),
      id_token: await this.#idToken(held, nonce),
    }
  }

  async #idToken({ person, scopes, clientId }: Grant, nonce: string | null): Promise<string> {
    const { privateKey } = await this.#keys()
    return new SignJWT({ ...buildClaims(person, scopes), ...(nonce !== null && { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })
      .setIssuer(this.#issuer)
      .setSubject(person.subject)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime(`${ID_TOKEN_SECONDS}s`)
      .sign(privateKey)
  }
}

/** The claims that the granted scopes allow. */
export function buildClaims(person: Person, scopes: string[]): Record<string, unknown> {
  return {
    ...(scopes.includes('email') && { email: person.email, email_verified: person.emailVerified }),
    // Google's word for an address of an organization.
    ...(!/@(gmail|googlemail)\.com$/i.test(person.email) && { hd: person.email.split('@').at(-1) }),
    ...(scopes.includes('profile') && { name: person.name }),
  }
}
