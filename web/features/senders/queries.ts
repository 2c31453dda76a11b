import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Sender, senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { compareNames, readAll } from '#web/query.ts'
import { senderName } from './sender-state.tsx'

const sortSenders = <Found extends { items: Sender[] }>(found: Found): Found => ({
  ...found,
  items: found.items.toSorted(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || compareNames(senderName(a), senderName(b)),
  ),
})

/** Every sender of the workspace: the default one, then the others by name. */
export function useSenders() {
  return useQuery({
    queryKey: ['senders'],
    queryFn: () => readAll((page) => api(senders.list, { query: page })),
    select: sortSenders,
  })
}

/** The mail servers among them: Gmail accounts have a page of their own. */
export function useMailServers() {
  const query = useSenders()
  return { ...query, servers: query.data?.items.filter((sender) => sender.kind === 'smtp') }
}

/** Connects, signs in and sends one real message; the sender's state is read again afterwards. */
export function useSenderTest(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (to: string) => api(senders.test, { params: { id }, body: { to } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['senders'] }),
  })
}
