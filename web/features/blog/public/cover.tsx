import type { PostSummary } from '#contracts/blog/blog.ts'
import { cx } from '#web/ui/lib/class-names.ts'
import { Mark } from '#web/ui/theme/brand.tsx'

interface CoverProps {
  post: Pick<PostSummary, 'coverImage' | 'coverSizes'>
  /** How wide it is shown, as in `<img sizes>`. */
  sizes: string
  /** In sight when the page opens: loaded at once. */
  first?: boolean
  className?: string
}

/** The image of a post in the size that fits, with its place reserved; without one, a quiet placeholder of the same shape. */
export function Cover({ post, sizes, first, className }: CoverProps) {
  const largest = post.coverSizes[0]
  if (!post.coverImage)
    return (
      <div aria-hidden="true" className={cx('grid place-items-center bg-accent-soft text-accent-line', className)}>
        <Mark className="size-14" />
      </div>
    )
  return (
    <img
      src={post.coverImage}
      srcSet={post.coverSizes.map(({ url, width }) => `${url} ${width}w`).join(', ') || undefined}
      sizes={post.coverSizes.length > 0 ? sizes : undefined}
      width={largest?.width}
      height={largest?.height}
      alt=""
      loading={first ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : 'auto'}
      decoding="async"
      className={cx('bg-sunken object-cover', className)}
    />
  )
}
