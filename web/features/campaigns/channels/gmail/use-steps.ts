import { useIsMutating, useQuery } from '@tanstack/react-query'
import { type FollowUp, followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { api } from '#web/api.ts'
import {
  type Draft,
  officeHours,
  type StepId,
  useLastCampaign,
  useMailSteps,
  type WizardChoices,
  type WizardStep,
} from '#web/features/campaigns/index.ts'
import { useAccounts } from '#web/features/gmail/index.ts'
import type { FollowUpDraft } from './follow-up-card.tsx'
import { isEmptyFollowUp } from './short-text.ts'

const toDraft = ({ afterMinutes, templateId, html, stopOnReply, stopOnClick }: FollowUp): FollowUpDraft => ({
  ...{ afterMinutes, templateId, html, stopOnReply, stopOnClick },
})

export const followUpsKey = (id: string) => ['campaigns', id, 'follow-ups']

/** The follow-ups of a draft, in order. Not read while a save is pending: until then the server's are older than what is shown. */
export function useFollowUps(id: string) {
  const queryKey = followUpsKey(id)
  const isSaving = useIsMutating({ mutationKey: queryKey }) > 0
  return useQuery({
    queryKey,
    queryFn: async () => (await api(followUps.list, { params: { id } })).items.map(toDraft),
    enabled: id !== '' && !isSaving,
  })
}

/** The wizard's steps of a Gmail campaign: a follow-up without a text is not done. */
export function useSteps(draft: Draft, seen: ReadonlySet<StepId>): WizardStep[] {
  const at = useFollowUps(draft.id).data?.findIndex(isEmptyFollowUp) ?? -1
  return useMailSteps(draft, seen, at < 0 ? undefined : at + 1)
}

/** The accounts used last, or the only one, and office hours. undefined until they are known. */
export function useLastAccounts(): Partial<WizardChoices> | undefined {
  const last = useLastCampaign()
  const { accounts, isError } = useAccounts()
  if (isError) return { window: officeHours() }
  if (last === undefined || !accounts) return undefined
  const able = accounts.filter(({ gmail }) => gmail.health !== 'revoked').map(({ id }) => id)
  const used = last?.senderIds.filter((id) => able.includes(id)) ?? []
  return { senderIds: used.length > 0 ? used : able.length === 1 ? able : [], window: officeHours() }
}
