import { useQuery } from '@tanstack/react-query'
import { gmail } from '#contracts/gmail/gmail.ts'
import type { GmailSender } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { useSenders } from '#web/features/senders/index.ts'

/** A sender that is a Gmail account. */
export type Account = GmailSender

/** The Gmail accounts of the workspace; undefined while they are being read. */
export function useAccounts() {
  const query = useSenders()
  return { ...query, accounts: query.data?.items.filter((sender) => sender.kind === 'gmail') }
}

/** Whether accounts can be connected, with which client, and what to enter in Google's console. */
export function useSetup() {
  return useQuery({ queryKey: ['gmail-setup'], queryFn: () => api(gmail.setup) })
}
