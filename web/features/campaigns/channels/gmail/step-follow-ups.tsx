import { Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { mostFollowUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { errorMessage } from '#web/api.ts'
import { type Draft, StepFrame } from '#web/features/campaigns/index.ts'
import { GMAIL_ACCOUNTS } from '#web/features/gmail/index.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { useTemplates } from '#web/use-templates.ts'
import { FollowUpCard } from './follow-up-card.tsx'
import { useSaveFollowUps } from './use-save-follow-ups.ts'
import { useFollowUps } from './use-steps.ts'

/** Follow-ups: emails in the same thread, each some time after the one before, to whom nothing stopped. */
export function FollowUpsStep({ draft }: { draft: Draft }) {
  const { id } = draft
  const templates = useTemplates()
  const query = useFollowUps(id)
  const { change, waiting, error } = useSaveFollowUps(draft)
  const items = query.data ?? []
  const { list, move } = useListFocus(items.length)
  const blank = { afterMinutes: 3 * 24 * 60, templateId: null, html: '', stopOnReply: true, stopOnClick: false }
  function add() {
    move('added')
    change((old) => [...old, blank])
  }
  function remove(index: number) {
    move('removed')
    change((old) => old.filter((_, at) => at !== index))
  }
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
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
        {waiting && (
          <Banner tone="attention" role="status">
            {errorMessage(waiting)} Your follow-ups are not saved yet. Saving is tried again automatically.
          </Banner>
        )}
        {error && <FormBanner error={`${errorMessage(error)} Your follow-ups were not changed.`} />}
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

/**
 * Takes the focus to a follow-up that was added here; after one was removed here, to what stands after the list. What was
 * changed elsewhere moves no focus.
 */
function useListFocus(count: number) {
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<'added' | 'removed'>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was added is there once the count has changed
  useEffect(() => {
    if (moved.current === 'added') list.current?.lastElementChild?.querySelector('input')?.focus()
    if (moved.current === 'removed') list.current?.parentElement?.querySelector<HTMLElement>(':scope > button')?.focus()
    moved.current = null
  }, [count])
  const move = (how: 'added' | 'removed') => {
    moved.current = how
  }
  return { list, move }
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
