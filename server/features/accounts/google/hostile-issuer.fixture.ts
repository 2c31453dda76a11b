import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'

/** The ways in which it lies or fails; `honest` is for the test to know that the rest of it is right. */
export const LIES = [
  'another issuer signs',
  'for another client',
  'another nonce',
  'no nonce',
  'a key that is not published',
  'alg none',
  'signed with the client secret',
  'expired',
  'issued for the future',
  'no subject',
  'no ID token',
  'an ID token that is none',
  'refuses the code',
  'fails',
  'answers a page',
  'hangs up',
] as const
export type Lie = (typeof LIES)[number] | 'honest' | 'discovery of another' | 'discovery fails' | 'slow'

const KEY_ID = 'one'

/** An issuer over HTTP on 127.0.0.1 that lies as it is told. */
export async function startHostileIssuer(client: { id: string; secret: string }) {
  const [key, stranger] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  let lie: Lie = 'honest'
  let nonce = ''
  let claims: Record<string, unknown> = {}

  const idToken = () => {
    const told = { email: 'admin@example.com', email_verified: true, ...(lie !== 'no nonce' && { nonce }), ...claims }
    if (lie === 'another nonce') told.nonce = 'another'
    if (lie === 'alg none')
      return new UnsecuredJWT(told)
        .setIssuer(url)
        .setSubject('1')
        .setAudience(client.id)
        .setIssuedAt()
        .setExpirationTime('1h')
        .encode()
    const now = Math.floor(Date.now() / 1_000)
    const signed = new SignJWT(told)
      .setIssuer(lie === 'another issuer signs' ? 'https://accounts.google.com' : url)
      .setAudience(lie === 'for another client' ? 'someone-else' : client.id)
      .setIssuedAt(lie === 'expired' ? now - 7_200 : now)
      .setExpirationTime(lie === 'expired' ? now - 3_600 : now + 3_600)
    if (lie === 'issued for the future') signed.setNotBefore(now + 3_600)
    if (lie !== 'no subject') signed.setSubject(String(claims.sub ?? 1))
    if (lie === 'signed with the client secret')
      return signed.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(client.secret))
    return signed
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
      .sign(lie === 'a key that is not published' ? stranger.privateKey : key.privateKey)
  }

  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const path = new URL(request.url ?? '/', url).pathname
    if (lie === 'slow') return
    if (path.startsWith('/.well-known')) {
      if (lie === 'discovery fails') return send(500, { error: 'server_error' })
      return send(200, {
        issuer: lie === 'discovery of another' ? 'https://accounts.google.com' : url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        // A liar offers everything.
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      })
    }
    if (path === '/jwks')
      return send(200, { keys: [{ ...(await exportJWK(key.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] })
    if (lie === 'refuses the code') return send(400, { error: 'invalid_grant' })
    if (lie === 'fails') return send(500, { error: 'server_error' })
    if (lie === 'hangs up') return request.socket.destroy()
    if (lie === 'answers a page') {
      response.writeHead(200, { 'content-type': 'text/html' })
      return response.end('<h1>Welcome to the hotel network</h1>')
    }
    const result = { access_token: 'a', token_type: 'Bearer', expires_in: 60 }
    if (lie === 'no ID token') return send(200, result)
    send(200, { ...result, id_token: lie === 'an ID token that is none' ? 'not.a.token' : await idToken() })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** From now on it lies so, and returns these claims for this sign-in. */
    will(next: Lie, expectedNonce = '', moreClaims: Record<string, unknown> = {}) {
      lie = next
      nonce = expectedNonce
      claims = moreClaims
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
