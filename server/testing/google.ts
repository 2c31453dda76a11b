import type { TestApp } from './app.ts'

/** What a person says at the sandbox's issuer. */
export interface GoogleChoice {
  email?: string
  name?: string
  unverified?: boolean
  deny?: boolean
}

/** A browser's half of signing in with Google, without a browser: every redirect is followed by hand. */
export function googleVisitor(t: Pick<TestApp, 'address' | 'services'>) {
  const follow = (address: string, init: RequestInit = {}) => fetch(address, { redirect: 'manual', ...init })
  const readCookie = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''

  /** Leaves for the issuer: its address, and the cookie to come back with. */
  async function leave() {
    const response = await follow(`${t.address}/api/auth/google?here=1`)
    return {
      answer: response,
      cookie: readCookie(response),
      issuer: new URL(response.headers.get('location') ?? 'none:'),
    }
  }

  /** Returns the consent page; the query the browser comes back with. */
  async function choose(
    issuer: URL,
    { email = '', name = '', unverified, deny }: GoogleChoice,
  ): Promise<URLSearchParams> {
    const page = await (await follow(issuer.href)).text()
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const form = new URLSearchParams({ request, email, name, choice: deny ? 'deny' : 'allow' })
    if (unverified) form.set('unverified', 'on')
    const back = await follow(new URL('/authorize', issuer).href, { method: 'POST', body: form })
    return new URL(back.headers.get('location') ?? 'none:').searchParams
  }

  /** Comes back; the query of the callback screen it ends at. */
  async function comeBack(query: URLSearchParams, cookie: string) {
    const response = await follow(`${t.address}/api/auth/google/callback?${query}`, { headers: { cookie } })
    const screen = new URL(response.headers.get('location') ?? 'none:')
    return {
      answer: response,
      screen,
      token: screen.searchParams.get('token'),
      error: screen.searchParams.get('error'),
    }
  }

  return {
    leave,
    choose,
    comeBack,
    async signIn(choice: GoogleChoice) {
      const { cookie, issuer } = await leave()
      return comeBack(await choose(issuer, choice), cookie)
    },
  }
}
