import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { followUps, mostFollowUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { api, errorMessage } from '#web/api.ts'
import { type Draft, StepFrame } from '#web/features/campaigns/index.ts'
import { GMAIL_ACCOUNTS } from '#web/features/gmail/index.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { useTemplates } from '#web/use-templates.ts'
import { FollowUpCard, type FollowUpDraft } from './follow-up-card.tsx'
import { followUpsKey, useFollowUps } from './use-steps.ts'

const RETRY_MS = 3_000

/** Follow-ups: emails in the same thread, each some time after the one before, to whom nothing stopped. */
export function FollowUpsStep({ draft }: { draft: Draft }) {
  const { id } = draft
  const queries = useQueryClient()
  const templates = useTemplates()
  const key = followUpsKey(id)
  const query = useFollowUps(id)
  const save = useMutation({
    // One after the other, so that the last change is what is saved.
    scope: { id: `follow-ups ${id}` },
    // The last step waits for it.
    mutationKey: ['campaigns', id],
    mutationFn: async (items: FollowUpDraft[]) => {
      const owner = await draft.ensure()
      await api(followUps.save, { params: { id: owner }, body: { items } })
      await queries.invalidateQueries({ queryKey: ['campaigns', owner], exact: true })
    },
    // Until the server can be reached the change is not lost, and the last step waits.
    retry: (_, error) => error instanceof TypeError,
    retryDelay: RETRY_MS,
    onError: () => queries.invalidateQueries({ queryKey: key }),
  })
  const items = query.data ?? []
  const list = useListFocus(query.data?.length)
  // Of what is stored and not of what is drawn: a tap that leaves a text and adds a follow-up changes both at once.
  const change = (edit: (items: FollowUpDraft[]) => FollowUpDraft[]) => {
    const next = edit(queries.getQueryData<FollowUpDraft[]>(key) ?? [])
    queries.setQueryData(key, next)
    save.mutate(next)
  }
  const blank = { afterMinutes: 3 * 24 * 60, templateId: null, html: '', stopOnReply: true, stopOnClick: false }
  const add = () => change((old) => [...old, blank])
  if (query.isError && !query.data)
    return <ErrorState title="The follow-ups could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  if (id && query.isPending) return <SkeletonRows rows={2} />
  return (
    <StepFrame
      title="Add follow-ups"
      hint="Follow-ups are sent automatically in the same thread and from the same account, to everyone who hasn’t replied or unsubscribed. They are optional."
    >
      <div className="max-w-xl space-y-4">
        {items.length > 0 && <CannotKnow reads={draft.query.data?.reads} />}
        <ol ref={list} className="space-y-4">
          {items.map((item, index) => (
            <FollowUpCard
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the order
              key={`${index} of ${items.length}`}
              number={index + 1}
              item={item}
              templates={templates.data?.items ?? []}
              onChange={(part) => change((old) => old.map((one, at) => (at === index ? { ...one, ...part } : one)))}
              onRemove={() => change((old) => old.filter((_, at) => at !== index))}
            />
          ))}
        </ol>
        {save.isPending && save.failureReason && (
          <Banner tone="attention" role="status">
            {errorMessage(save.failureReason)} Your follow-ups are not saved yet. Saving is tried again automatically.
          </Banner>
        )}
        {save.isError && <FormBanner error={`${errorMessage(save.error)} Your follow-ups were not changed.`} />}
        {items.length < mostFollowUps ? (
          <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />} disabled={!id} onClick={add}>
            Add a follow-up
          </Button>
        ) : (
          <p className="text-sm text-muted">A campaign can have up to {mostFollowUps} follow-ups.</p>
        )}
      </div>
    </StepFrame>
  )
}

/** Takes the focus to a follow-up that was added; after one was removed, to what stands after the list. */
function useListFocus(count: number | undefined) {
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(count)
  useEffect(() => {
    const last = before.current
    before.current = count
    if (last === undefined || count === undefined || last === count) return
    if (count > last) list.current?.lastElementChild?.querySelector('input')?.focus()
    else list.current?.parentElement?.querySelector<HTMLElement>(':scope > button')?.focus()
  }, [count])
  return list
}

function CannotKnow({ reads }: { reads: 'all' | 'some' | 'none' | null | undefined }) {
  if (reads !== 'none' && reads !== 'some') return null
  return (
    <Banner
      tone="attention"
      title={reads === 'none' ? 'Replies can’t be detected' : 'Some replies can’t be detected'}
      action={
        <ButtonLink size="sm" to={GMAIL_ACCOUNTS}>
          Allow reading
        </ButtonLink>
      }
    >
      {reads === 'none' ? 'None of the selected accounts' : 'Not every selected account'} has permission to read its
      mailbox, so people who reply may still get the next email. Reading replies is recommended: follow-ups then stop as
      soon as someone answers.
    </Banner>
  )
}
