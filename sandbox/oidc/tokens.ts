import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { AuthorizationRequest, Client, Person } from './authorization.ts'
import { Expiring } from './expiring.ts'

const ID_TOKEN_SECONDS = 3_600
const KEY_ID = 'sandbox'

interface Grant {
  person: Person
  scopes: string[]
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
  readonly #client: Client
  readonly #codes = new Expiring<{ person: Person; request: AuthorizationRequest }>(60)
  readonly #access = new Expiring<Grant>(ID_TOKEN_SECONDS)
  readonly #refresh = new Expiring<Grant>(365 * 86_400)
  #key: ReturnType<typeof generateKeyPair> | undefined

  constructor(issuer: string, client: Client) {
    this.#issuer = issuer
    this.#client = client
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
  code(person: Person, request: AuthorizationRequest): string {
    return this.#codes.put({ person, request })
  }

  /** Who an access token stands for. */
  holderOf(accessToken: string): Grant | undefined {
    return this.#access.get(accessToken)
  }

  revoke(token: string): void {
    this.#access.take(token)
    this.#refresh.take(token)
  }

  /** Answers the token endpoint. Throws TokenRefusal. */
  async grant(form: URLSearchParams) {
    if (form.get('grant_type') === 'refresh_token') {
      const held = this.#refresh.get(form.get('refresh_token'))
      if (!held) throw new TokenRefusal('invalid_grant', 'this refresh token is not known')
      return this.#answer(held, null)
    }
    if (form.get('grant_type') !== 'authorization_code')
      throw new TokenRefusal('unsupported_grant_type', 'authorization_code and refresh_token are served')
    const given = this.#codes.take(form.get('code'))
    if (!given) throw new TokenRefusal('invalid_grant', 'this code is not known, or was used already')
    const { person, request } = given
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (challenge !== request.challenge) throw new TokenRefusal('invalid_grant', 'the code verifier does not fit')
    if (form.get('redirect_uri') !== request.redirectUri)
      throw new TokenRefusal('invalid_grant', 'the redirect address does not fit')
    const held = { person, scopes: request.scopes }
    return {
      ...(await this.#answer(held, request.nonce)),
      ...(request.offline && { refresh_token: this.#refresh.put(held) }),
    }
  }

  async #answer(held: Grant, nonce: string | null) {
    return {
      token_type: 'Bearer',
      access_token: this.#access.put(held),
      expires_in: ID_TOKEN_SECONDS,
      scope: held.scopes.join(' '),
      id_token: await this.#idToken(held, nonce),
    }
  }

  async #idToken({ person, scopes }: Grant, nonce: string | null): Promise<string> {
    const { privateKey } = await this.#keys()
    return new SignJWT({ ...claimsOf(person, scopes), ...(nonce !== null && { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })
      .setIssuer(this.#issuer)
      .setSubject(person.subject)
      .setAudience(this.#client.id)
      .setIssuedAt()
      .setExpirationTime(`${ID_TOKEN_SECONDS}s`)
      .sign(privateKey)
  }
}

/** The claims that the granted scopes allow. */
export function claimsOf(person: Person, scopes: string[]): Record<string, unknown> {
  return {
    ...(scopes.includes('email') && { email: person.email, email_verified: person.emailVerified }),
    ...(scopes.includes('profile') && { name: person.name }),
  }
}
