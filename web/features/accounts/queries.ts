import { useQueryClient } from '@tanstack/react-query'
import { accounts, type User } from '#contracts/accounts/accounts.ts'
import type { Input } from '#contracts/endpoint.ts'
import { api } from '#web/api.ts'
import { storeUser } from '#web/session/session.ts'
import { setOwnZone } from '#web/ui/lib/zoned-time.ts'

/** Saves what the user changed of themself or the workspace; every page shows it from then on. */
export function useSaveUser(): (body: Input<typeof accounts.update>['body']) => Promise<User> {
  const queries = useQueryClient()
  return async (body) => {
    const saved = await api(accounts.update, { body })
    storeUser(saved)
    setOwnZone(saved.timeZone)
    queries.setQueryData(['user'], saved)
    return saved
  }
}
