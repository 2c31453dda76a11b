import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Input, ResponseBody } from '#contracts/endpoint.ts'
import { type Conversation, whatsappConversations as contract } from '#contracts/whatsapp/inbox.ts'
import { api } from '#web/api.ts'
import { followEvents } from '#web/events.ts'
import { useContact } from '#web/features/contacts/index.ts'
import { reload, storeResult } from '#web/query.ts'

type ConversationPage = ResponseBody<typeof contract.list>
type Filters = Omit<Input<typeof contract.list>['query'], 'cursor' | 'limit'>

/** Conversations that the filters leave, the one with the newest message first. */
export function useConversations(filters: Filters) {
  return useInfiniteQuery({
    queryKey: ['whatsapp', 'conversations', filters],
    queryFn: ({ pageParam }): Promise<ConversationPage> =>
      api(contract.list, { query: { ...filters, limit: 50, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })
}

export function useConversation(id: string) {
  return useQuery({
    queryKey: ['whatsapp', 'conversation', id],
    queryFn: () => api(contract.get, { params: { id } }),
  })
}

/** The contact at the other end, where the person is one. */
export function useConversationContact({ contactId }: Pick<Conversation, 'contactId'>) {
  return useContact(contactId ?? '', contactId !== null)
}

/** What was said in a conversation, newest first, in pages. */
export function useMessages(id: string) {
  return useInfiniteQuery({
    queryKey: ['whatsapp', 'messages', id],
    queryFn: ({ pageParam }) =>
      api(contract.messages, { params: { id }, query: { limit: 50, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** To whom a conversation can be given. */
export function useAssignees() {
  return useQuery({
    queryKey: ['whatsapp', 'assignees'],
    queryFn: () => api(contract.people),
    staleTime: 60_000,
  })
}

/**
 * Closes, opens, assigns, reads, takes over. What it returns may be older than what an event told meanwhile, so that the
 * conversation is asked for; the change is under way until it is shown.
 */
export function useConversationChange(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Input<typeof contract.update>['body']) => api(contract.update, { params: { id }, body }),
    onSuccess: () => {
      for (const key of ['conversations', 'unread']) void queries.invalidateQueries({ queryKey: ['whatsapp', key] })
      return reload(queries, ['whatsapp', 'conversation', id])
    },
  })
}

/** Makes the person of a conversation a contact. */
export function useSaving(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api(contract.save, { params: { id }, body: {} }),
    onSuccess: () => {
      void reload(queries, ['whatsapp', 'conversation', id])
      for (const queryKey of [['whatsapp', 'conversations'], ['contacts']]) void queries.invalidateQueries({ queryKey })
    },
  })
}

/** Puts what changed where it is shown: the open conversation at once, its messages and the list asked again. */
function takeChange(queries: QueryClient, conversation: Conversation): void {
  storeResult(queries, ['whatsapp', 'conversation', conversation.id], conversation)
  queries.setQueriesData<InfiniteData<ConversationPage>>(
    { queryKey: ['whatsapp', 'conversations'] },
    (old) =>
      old && {
        ...old,
        pages: old.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => (item.id === conversation.id ? conversation : item)),
        })),
      },
  )
  void reload(queries, ['whatsapp', 'messages', conversation.id])
}

/** Follows the workspace's conversations as they change, for as long as the page is open. */
export function useLiveConversations(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    // In a burst the list is asked for once and not for each message.
    const reloadList = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        for (const key of ['conversations', 'unread']) void reload(queries, ['whatsapp', key])
      }, 300)
    }
    const again = () => reload(queries, ['whatsapp'])
    let first = true
    void followEvents({
      open: async () => {
        const stream = await api(contract.live)
        // What changed while nothing was heard is asked for.
        if (!first) void again()
        first = false
        return stream
      },
      onEvent: (name, data) => {
        if (name !== 'conversation') return
        takeChange(queries, contract.live.response.parse(JSON.parse(data)))
        reloadList()
      },
      ask: again,
      signal: ended.signal,
    })
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [queries])
}
