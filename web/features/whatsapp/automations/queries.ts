import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Automation, whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { api, errorMessage } from '#web/api.ts'
import { readAll } from '#web/query.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'

const listKey = (accountId: string) => ['whatsapp', 'automations', accountId]

/** The automations of a number, in the order they are tried. */
export function useAutomations(accountId: string) {
  return useQuery({
    queryKey: listKey(accountId),
    queryFn: () => readAll((page) => api(whatsappAutomations.list, { query: { ...page, accountId } })),
    enabled: accountId !== '',
  })
}

/** One automation. */
export function useAutomation(id: string) {
  return useQuery({
    queryKey: ['whatsapp', 'automation', id],
    queryFn: () => api(whatsappAutomations.get, { params: { id } }),
    enabled: id !== '',
    // What is being edited does not change under the hand.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Switches automations on and off and moves them; the list is read anew afterwards, and the simulator with it. */
export function useChange(accountId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (changes: { id: string; active?: boolean; place?: number }[]) =>
      Promise.all(changes.map(({ id, ...body }) => api(whatsappAutomations.update, { params: { id }, body }))),
    onError: (error) => toast.error(`The change was not saved. ${errorMessage(error)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: listKey(accountId) }),
  })
}

export type Simulation = z.output<typeof whatsappAutomations.simulate.response>

interface Played {
  accountId: string
  messages: string[]
  contactId?: string | undefined
  at?: string | undefined
}

/** What would answer these messages. `version` changes with the automations, so that the talk is played anew. */
export function useSimulation(played: Played, version: string) {
  return useQuery({
    queryKey: ['whatsapp', 'simulation', played, version],
    queryFn: () => api(whatsappAutomations.simulate, { body: played }),
    enabled: played.messages.length > 0,
    placeholderData: played.messages.length > 0 ? keepPreviousData : undefined,
  })
}

/** A name for the automations as they are now: another one as soon as one of them changes. */
export const automationsVersion = (automations: Automation[]) =>
  automations.map(({ id, updatedAt, place }) => `${id} ${updatedAt} ${place}`).join()
