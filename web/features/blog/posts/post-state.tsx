import type { PostSummary } from '#contracts/blog/blog.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'

/** Whether readers see a post. */
export function PostState({ post: { state, publishedAt } }: { post: Pick<PostSummary, 'state' | 'publishedAt'> }) {
  if (state === 'draft') return <Badge shape="dashed">Draft</Badge>
  if (state === 'published')
    return (
      <Badge tone="good" shape="check">
        Published
      </Badge>
    )
  return (
    <Badge tone="accent" shape="clock">
      Scheduled for {formatMoment(publishedAt)}
    </Badge>
  )
}
