import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { readAll } from '#web/query.ts'

/** Every sender of the workspace, the default one among them. */
export function useSenders() {
  return useQuery({ queryKey: ['senders'], queryFn: () => readAll((page) => api(senders.list, { query: page })) })
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
