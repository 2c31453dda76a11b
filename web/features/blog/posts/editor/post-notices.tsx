import { useState } from 'react'
import type { Post } from '#contracts/blog/blog.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import type { Draft } from './draft.ts'
import { forgetCopy, storedCopy } from './stored-copy.ts'

/** Offers what was written here before and never saved. */
export function StoredCopy({ post, onTake }: { post: Post | undefined; onTake: (draft: Draft) => void }) {
  const [copy, setCopy] = useState(() => storedCopy(post?.id))
  if (!copy) return null
  const older = post && copy.version !== post.version
  return (
    <Banner
      tone="attention"
      title="Restore unsaved changes?"
      action={
        <span className="flex flex-wrap gap-2">
          <Button
            size="sm"
            kind="primary"
            onClick={() => {
              setCopy(undefined)
              onTake(copy.draft)
            }}
          >
            Restore
          </Button>
          <Button
            size="sm"
            onClick={() => {
              forgetCopy(post?.id)
              setCopy(undefined)
            }}
          >
            Discard
          </Button>
        </span>
      }
    >
      “{copy.draft.title || 'Untitled'}”, stored in this browser on {formatMoment(copy.at)}.
      {older && ' The post was changed in the meantime. Compare both versions before you save.'}
    </Banner>
  )
}

/** Says that somebody else saved the post meanwhile, and offers both ways on. */
export function Conflict({ post, onSaveOver }: { post: Post | undefined; onSaveOver: () => void }) {
  return (
    <Banner
      tone="attention"
      role="alert"
      title="Two versions of this post"
      action={
        <Button size="sm" onClick={onSaveOver}>
          Overwrite with my version
        </Button>
      }
    >
      Someone else saved this post while you were editing. Your text is still here, and nothing was overwritten.{' '}
      {post && (
        <a
          href={`/admin/blog/edit/${post.id}`}
          target="_blank"
          rel="noreferrer"
          className="font-medium text-accent-text underline"
        >
          View other version
        </a>
      )}
    </Banner>
  )
}
