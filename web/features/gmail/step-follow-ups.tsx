import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { Input as InputOf } from '#contracts/endpoint.ts'
import { type FollowUp, followUps, mostFollowUps } from '#contracts/follow-ups.ts'
import { api, messageOf } from '#web/api.ts'
import { type Draft, StepFrame } from '#web/features/campaigns/index.ts'
import { useTemplates } from '#web/features/templates/index.ts'
import { Banner, FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { FollowUpCard } from './follow-up-card.tsx'

export type Item = InputOf<typeof followUps.save>['body']['items'][number]

const itemOf = ({ afterMinutes, templateId, html, stopOnReply, stopOnClick }: FollowUp): Item => ({
  ...{ afterMinutes, templateId, html, stopOnReply, stopOnClick },
})

/** Follow-ups: letters in the same thread, each some time after the one before, to whom nothing stopped. */
export function FollowUpsStep({ draft }: { draft: Draft }) {
  const { id } = draft
  const queries = useQueryClient()
  const templates = useTemplates()
  const key = ['campaigns', id, 'follow-ups']
  const query = useQuery({
    queryKey: key,
    queryFn: async () => (await api(followUps.list, { params: { id } })).items.map(itemOf),
    enabled: id !== '',
  })
  const save = useMutation({
    // One after the other, so that the last change is what is kept.
    scope: { id: `follow-ups ${id}` },
    mutationFn: async (items: Item[]) => {
      const owner = await draft.ensure()
      await api(followUps.save, { params: { id: owner }, body: { items } })
      await queries.invalidateQueries({ queryKey: ['campaigns', owner], exact: true })
    },
    onError: () => queries.invalidateQueries({ queryKey: key }),
  })
  const items = query.data ?? []
  const change = (next: Item[]) => {
    queries.setQueryData(key, next)
    save.mutate(next)
  }
  const add = () =>
    change([
      ...items,
      {
        afterMinutes: 3 * 24 * 60,
        templateId: null,
        html: '',
        stopOnReply: true,
        stopOnClick: false,
      },
    ])
  if (query.isError && !query.data)
    return <ErrorState title="The follow-ups could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  if (id && query.isPending) return <SkeletonRows rows={2} />
  return (
    <StepFrame
      title="What if nobody answers?"
      hint="Follow-ups go out by themselves, in the same thread and from the same account, to those whom nothing stopped. You may leave them out."
    >
      <div className="max-w-xl space-y-4">
        {items.length > 0 && <CannotKnow reads={draft.query.data?.reads} />}
        <ol className="space-y-4">
          {items.map((item, index) => (
            <FollowUpCard
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the order
              key={`${index} of ${items.length}`}
              number={index + 1}
              item={item}
              templates={templates.data?.items ?? []}
              onChange={(part) => change(items.map((one, at) => (at === index ? { ...one, ...part } : one)))}
              onRemove={() => change(items.filter((_, at) => at !== index))}
            />
          ))}
        </ol>
        {save.isError && <FormBanner error={`${messageOf(save.error)} The follow-ups are as they were before.`} />}
        {items.length < mostFollowUps ? (
          <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />} disabled={!id} onClick={add}>
            Add a follow-up
          </Button>
        ) : (
          <p className="text-sm text-muted">More than {mostFollowUps} would annoy, so there is no eleventh.</p>
        )}
      </div>
    </StepFrame>
  )
}

function CannotKnow({ reads }: { reads: 'all' | 'some' | 'none' | null | undefined }) {
  if (reads !== 'none' && reads !== 'some') return null
  return (
    <Banner tone="attention" title={reads === 'none' ? 'Replies cannot be known' : 'Some replies cannot be known'}>
      {reads === 'none' ? 'None of the chosen accounts' : 'Not every chosen account'} may read its mailbox, so who
      answered may get the next letter all the same. Let the account be read, on the page of your Gmail accounts, to
      stop on a reply.
    </Banner>
  )
}
