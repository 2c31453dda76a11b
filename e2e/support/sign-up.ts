import { accounts } from '#contracts/accounts/accounts.ts'
import { admin } from '#contracts/admin/admin.ts'
import type { ApiClient } from '#contracts/client.ts'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { until } from '#server/testing/until.ts'
import { connectApi, signIn } from './server-process.ts'

const EMAIL = 'ada@example.net'

/**
 * Signs somebody up as a browser does, with the link of the verification email in the sandbox; an admin gives them the
 * largest plan. Returns their typed client.
 */
export async function signUp(url: string): Promise<ApiClient> {
  const body = { name: 'Ada', email: EMAIL, password: 'eleven larks at the lake' }
  await connectApi(url)(accounts.signup, { body })
  const first = await signIn(url)
  const mail = await until(
    async () => (await first(sandbox.list, { query: { q: EMAIL } })).items[0],
    'the verification email',
  )
  const { text } = await first(sandbox.get, { params: { id: mail.id } })
  const link = /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
  const { token } = await connectApi(url)(accounts.verifyEmail, { body: { token: link } })
  const [user] = (await first(admin.users, { query: { q: EMAIL } })).items
  await first(admin.changeUser, { params: { id: user?.id ?? '' }, body: { plan: 'business' } })
  return connectApi(url, token)
}
