import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { whatsappSavedReplies as contract } from '#contracts/whatsapp/saved-replies.ts'
import { api } from '#web/api.ts'

const queryKey = ['whatsapp', 'saved-replies']

/** The saved replies of the workspace by name. */
export function useSavedReplies() {
  return useQuery({ queryKey, queryFn: () => api(contract.list), staleTime: 60_000 })
}

/** Saves a new reply, or an old one under its id. */
export function useSavedReplyChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string | null; name: string; text: string }) =>
      id === null ? api(contract.create, { body }) : api(contract.update, { params: { id }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  })
}

/** Deletes a reply. */
export function useSavedReplyRemoval() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api(contract.remove, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
