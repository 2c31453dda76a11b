import { CircleCheck, Clock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Post } from '#contracts/blog/blog.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'

/** What became of a new post, and where to go on: to the post, its editor or the list. */
export function SavedPost({ post, list }: { post: Post; list: string }) {
  const isScheduled = post.state === 'scheduled'
  const Icon = isScheduled ? Clock : CircleCheck
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section role="status" className="mx-auto grid min-h-[50vh] max-w-xl content-center py-12">
      <Icon aria-hidden="true" className="size-8 text-good-text" />
      <h1 ref={heading} tabIndex={-1} className="mt-4 text-2xl font-semibold tracking-tight wrap-anywhere outline-none">
        {isScheduled ? `Scheduled for ${formatMoment(post.publishedAt)}` : 'Post published'}
      </h1>
      <p className="mt-2 text-md wrap-anywhere text-text">“{post.title}”</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {isScheduled ? (
          <ButtonLink kind="primary" to={`/admin/blog/edit/${post.id}`}>
            Edit post
          </ButtonLink>
        ) : (
          <ButtonLink kind="primary" to={`/blog/${post.slug}`}>
            View post
          </ButtonLink>
        )}
        <ButtonLink to={list}>All posts</ButtonLink>
      </div>
    </section>
  )
}
