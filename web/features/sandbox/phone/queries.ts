import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Input } from '#contracts/endpoint.ts'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { api } from '#web/api.ts'

/** The emulator has no stream: it is looked at this often while somebody looks. */
const POLL_INTERVAL_MS = 1_500

/** The numbers of the emulator that the user may see, and the people with a fate. */
export function useEmulator() {
  return useQuery({
    queryKey: ['sandbox', 'phone', 'numbers'],
    queryFn: () => api(sandboxWhatsApp.numbers, { query: {} }),
  })
}

/** Who was written to or wrote, newest first. */
export function useChats() {
  return useQuery({
    queryKey: ['sandbox', 'phone', 'chats'],
    queryFn: () => api(sandboxWhatsApp.chats, { query: { limit: 100 } }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}

export interface ChatKey {
  number: string
  person: string
}

/** A chat as the person sees it, oldest first. */
export function useChat(chat: ChatKey) {
  return useQuery({
    queryKey: ['sandbox', 'phone', 'chat', chat.number, chat.person],
    queryFn: () => api(sandboxWhatsApp.messages, { params: { ...chat } }),
    refetchInterval: POLL_INTERVAL_MS,
    retry: false,
  })
}

/** Sends a file as the person, with words under it. */
export function useFileDeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ chat, file, caption }: { chat: ChatKey; file: File; caption: string }) => {
      const form = new FormData()
      form.append('file', file)
      return api(sandboxWhatsApp.sendFile, { params: { ...chat }, query: { caption }, form })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['sandbox', 'phone'] }),
  })
}

/** Every template at the emulator; looked at again while somebody reviews. */
export function useReviews() {
  return useQuery({
    queryKey: ['sandbox', 'phone', 'templates'],
    queryFn: () => api(sandboxWhatsApp.templates, { query: {} }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}

type Quality = Input<typeof sandboxWhatsApp.quality>['body']['quality']
type Decision = Input<typeof sandboxWhatsApp.review>['body'] & { name: string }

/** Decides about a template as Meta would. */
export function useReview() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ name, ...body }: Decision) => api(sandboxWhatsApp.review, { params: { name }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sandbox', 'phone', 'templates'] }),
  })
}

/** Says what people made of a template, as Meta would. */
export function useRating() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ name, quality }: { name: string; quality: Quality }) =>
      api(sandboxWhatsApp.quality, { params: { name }, body: { quality } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sandbox', 'phone', 'templates'] }),
  })
}

/** Does something as the person. */
export function useDeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ chat, deed }: { chat: ChatKey; deed: Input<typeof sandboxWhatsApp.say>['body']['deed'] }) =>
      api(sandboxWhatsApp.say, { params: { ...chat }, body: { deed } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sandbox', 'phone'] }),
  })
}
