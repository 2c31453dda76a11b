/** What an application may ask the issuer for: an authorization request (RFC 6749, OpenID Connect Core 3.1.2.1), checked. */
export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  scopes: string[]
  state: string | null
  nonce: string | null
  /** PKCE, S256. */
  challenge: string
  /** Whether it may go on when the person is away: a refresh token comes with the answer. */
  offline: boolean
  loginHint: string
}

/** A person of the emulator: the one that was typed in. */
export interface Person {
  subject: string
  email: string
  name: string
  emailVerified: boolean
}

/** An application that is registered here. */
export interface Client {
  id: string
  /** null: any that looks like one of Google's. */
  secret: string | null
  redirectUris: string[]
}

/** Ends every client id of Google's console: one that somebody brings is known here too, with the same redirect addresses. */
export function clientFor(registered: Client, id: string): Client | undefined {
  if (id === registered.id) return registered
  return id.endsWith('.apps.googleusercontent.com') ? { ...registered, id, secret: null } : undefined
}

/** A request that is answered to the application, or, where the application itself is unknown, with a page. */
export type Checked =
  | { request: AuthorizationRequest }
  | { error: string; description: string; redirectTo: { uri: string; state: string | null } | undefined }

/** Checks an authorization request against the clients that are known. */
export function checkAuthorization(query: URLSearchParams, registered: Client): Checked {
  const redirectUri = query.get('redirect_uri') ?? ''
  const state = query.get('state')
  const client = clientFor(registered, query.get('client_id') ?? '')
  if (!client?.redirectUris.includes(redirectUri))
    return {
      error: 'invalid_client',
      description: 'This application or its redirect URL is not known here.',
      redirectTo: undefined,
    }
  const no = (error: string, description: string): Checked => ({
    error,
    description,
    redirectTo: { uri: redirectUri, state },
  })
  if (query.get('response_type') !== 'code') return no('unsupported_response_type', 'only the code flow is served')
  const scopes = (query.get('scope') ?? '').split(' ').filter(Boolean)
  if (!scopes.includes('openid')) return no('invalid_scope', 'openid is missing')
  const challenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return no('invalid_request', 'PKCE with S256 is required')
  if (query.get('prompt') === 'none') return no('login_required', 'somebody has to choose an account')
  return {
    request: {
      clientId: client.id,
      redirectUri,
      scopes,
      state,
      nonce: query.get('nonce'),
      challenge,
      offline: query.get('access_type') === 'offline',
      loginHint: query.get('login_hint') ?? '',
    },
  }
}
