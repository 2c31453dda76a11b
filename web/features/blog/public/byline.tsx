import type { PostSummary } from '#contracts/blog/blog.ts'
import { cx } from '#web/ui/lib/class-names.ts'
import { dayInWords } from './labels.ts'

/** Who wrote it, when, and how long it takes to read. */
export function Byline({
  post,
  className,
}: {
  post: Pick<PostSummary, 'authorName' | 'publishedAt' | 'readingTime'>
  className?: string
}) {
  return (
    <p className={cx('flex flex-wrap gap-x-2 text-base text-muted', className)}>
      <span className="font-medium wrap-anywhere text-text">{post.authorName}</span>
      <span aria-hidden="true">·</span>
      {post.publishedAt && (
        <>
          <time dateTime={post.publishedAt}>{dayInWords(post.publishedAt)}</time>
          <span aria-hidden="true">·</span>
        </>
      )}
      <span>{post.readingTime} min read</span>
    </p>
  )
}
