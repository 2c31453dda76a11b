import { errorMessage } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { SaveState } from '#web/ui/feedback/save-state.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Conflict } from './post-notices.tsx'
import type { Writing } from './use-writing.ts'

/** In the bar: whether what was written is saved. A failure stands below the bar, where it has room. */
export function WritingState({ writing: { drafted, dirty, post, saving } }: { writing: Writing }) {
  // What is not saved as it is written: a published post, a draft without a title or text, a change of the publication date.
  if (!drafted || (dirty && saving.state === 'saved'))
    return (
      <span role="status" className="truncate text-sm text-muted">
        {dirty ? 'Not saved yet. A copy is stored in this browser.' : ''}
      </span>
    )
  if (saving.state === 'failed' || (post === undefined && saving.state === 'saved')) return null
  return <SaveState state={saving.state} onRetry={() => void saving.flush()} />
}

/** Below the bar, in view wherever the text is scrolled to: what keeps it from being saved, and that it is. */
export function WritingNotices({ writing }: { writing: Writing }) {
  const { conflict, post, saving, drafted } = writing
  return (
    <div className="sticky top-14 z-20 mb-4 space-y-3 empty:hidden">
      {conflict && <Conflict post={post} onSaveOver={() => void writing.saveOver()} />}
      {drafted && saving.state === 'failed' && (
        <Banner
          tone="attention"
          role="alert"
          title="Not saved"
          action={
            <Button size="sm" onClick={() => void saving.flush()}>
              Try again
            </Button>
          }
        >
          {errorMessage(saving.error ?? '')} Your changes are still here.
        </Banner>
      )}
      <FormBanner error={writing.error} success={writing.success} />
    </div>
  )
}
