import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { ApiError } from '#contracts/client.ts'
import { api } from '#web/api.ts'
import type { Draft } from '#web/features/campaigns/index.ts'
import type { FollowUpDraft } from './follow-up-card.tsx'
import { followUpsKey } from './use-steps.ts'

const RETRY_MS = 3_000

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Saves each change of a draft's follow-ups, one after the other, also when the step was left. `waiting`: what keeps the
 * changes from being saved.
 */
export function useSaveFollowUps(draft: Draft) {
  const { id } = draft
  const queries = useQueryClient()
  const key = followUpsKey(id)
  const save = useMutation({
    // One after the other, so that the last change is what is saved.
    scope: { id: `follow-ups ${id}` },
    // It begins as the campaign's does: the last step waits for it.
    mutationKey: key,
    mutationFn: async (items: FollowUpDraft[]) => {
      const owner = await draft.ensure()
      await api(followUps.save, { params: { id: owner }, body: { items } })
      await queries.invalidateQueries({ queryKey: ['campaigns', owner], exact: true })
    },
    // Until the server can be reached the change is not lost, and the last step waits.
    retry: (_, error) => error instanceof TypeError && !(error instanceof ApiError),
    retryDelay: RETRY_MS,
    onMutate: () => addEventListener('beforeunload', warn),
    onSettled: () => {
      if (queries.isMutating({ mutationKey: key }) <= 1) removeEventListener('beforeunload', warn)
      // Read again once no save is pending: useFollowUps.
      void queries.invalidateQueries({ queryKey: key })
    },
  })
  // Only the first is tried: those behind it are always paused, and say nothing.
  const [first] = useMutationState({ filters: { mutationKey: key, status: 'pending' } })
  const waiting = first?.failureReason ?? (first?.isPaused ? new Error('You are offline.') : null)

  // Of what is stored and not of what is drawn: a tap that leaves a text and adds a follow-up changes both at once.
  const change = (edit: (items: FollowUpDraft[]) => FollowUpDraft[]) => {
    // An answer under way is from before the change.
    void queries.cancelQueries({ queryKey: key })
    const stored = queries.getQueryData<FollowUpDraft[]>(key)
    // Forgotten since, as at the end of a session: an edit of nothing would remove them all.
    if (!stored) return
    const next = edit(stored)
    queries.setQueryData(key, next)
    save.mutate(next)
  }
  return { change, waiting, error: save.error }
}
