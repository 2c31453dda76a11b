import { senders } from '#contracts/senders/senders.ts'
import type { ImapJournal, Trouble } from '#sandbox/gmail/accounts.ts'
import type { ControlCall } from '#sandbox/gmail/control.ts'
import { CONTROL_PATH } from '#sandbox/oidc/issuer.ts'
import type { Person, TestApp } from './app.ts'

/** What a person says at the consent page. */
export interface Consent {
  email?: string
  deny?: boolean
  /** Scopes whose boxes stay ticked; all when omitted. */
  grant?: string[]
  testing?: boolean
}

type App = Pick<TestApp, 'address' | 'services'>

/** A browser's half of connecting a Gmail account, without a browser: every redirect is followed by hand. */
export function gmailVisitor(t: App, person: Person) {
  async function leave(body: { reads?: boolean; senderId?: string } = {}) {
    const response = await fetch(`${t.address}/api/gmail/connect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    const { url } = (await response.json()) as { url?: string }
    return { status: response.status, cookie, url: new URL(url ?? 'none:') }
  }

  /** Returns the consent page; the query the browser comes back with. */
  async function choose(url: URL, { email = '', deny, grant, testing }: Consent): Promise<string> {
    const page = await (await fetch(url)).text()
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const form = new URLSearchParams({ request, email, choice: deny ? 'deny' : 'allow' })
    if (grant) form.set('granular', 'on')
    for (const scope of grant ?? []) form.append('grant', scope)
    if (testing) form.set('testing', 'on')
    const back = await fetch(new URL('/authorize', url), { method: 'POST', redirect: 'manual', body: form })
    return new URL(back.headers.get('location') ?? 'none:').search
  }

  /** Comes back; where it ends. */
  async function comeBack(search: string, cookie: string) {
    const response = await fetch(`${t.address}/api/gmail/callback${search}`, {
      headers: { cookie },
      redirect: 'manual',
    })
    const page = new URL(response.headers.get('location') ?? 'none:')
    return { page, connected: page.searchParams.get('connected'), error: page.searchParams.get('error') }
  }

  async function connect(consent: Consent, body: { reads?: boolean; senderId?: string } = {}) {
    const { url, cookie } = await leave(body)
    return comeBack(await choose(url, consent), cookie)
  }

  async function byConsent(email: string, reads: boolean): Promise<string> {
    const { connected, error } = await connect({ email }, { reads })
    if (!connected) throw new Error(`not connected: ${error}`)
    return connected
  }

  async function byPassword(email: string, appPassword: string, reads: boolean): Promise<string> {
    await gmailControl(t, { email, appPassword })
    const { id } = await person.api(senders.create, { body: { kind: 'gmail', email, appPassword, reads } })
    return id
  }

  return {
    leave,
    choose,
    comeBack,
    connect,
    /** An account with no pace, which tests would have to wait for, connected at Google or by app password. Returns its id. */
    async account(
      email: string,
      given: { reads?: boolean; perDay?: number; perMinute?: number | null; appPassword?: string } = {},
    ) {
      const { reads = false, appPassword } = given
      const connected = appPassword ? await byPassword(email, appPassword, reads) : await byConsent(email, reads)
      const { db } = t.services
      await db
        .updateTable('senders')
        .set({ perMinute: given.perMinute ?? null, perDay: given.perDay ?? 500, rampDays: null })
        .where('id', '=', connected)
        .execute()
      await gmailControl(t, { email, perMinute: 100_000 })
      return connected
    },
    show: (id: string) => person.api(senders.get, { params: { id } }),
  }
}

interface Mailbox {
  imap: ImapJournal
  messages: { id: string; threadId: string; labelIds: string[]; at: number; raw: string }[]
  waiting: number
}

/** Tells the emulator how to behave to an account, and returns its mailbox. */
export async function gmailControl(
  { services }: Pick<TestApp, 'services'>,
  wish: ControlCall & { revoke?: boolean; expireAccess?: boolean; troubles?: Trouble[] },
): Promise<Mailbox> {
  const { apiUrl = '', client } = services.gmail ?? {}
  const response = await fetch(`${apiUrl}${CONTROL_PATH}`, {
    method: 'POST',
    headers: { 'x-sandbox-key': client?.clientSecret ?? '' },
    body: JSON.stringify(wish),
  })
  if (!response.ok) throw new Error(`the emulator answered ${response.status}`)
  return (await response.json()) as Mailbox
}
