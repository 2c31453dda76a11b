import { Link } from 'react-router'
import type { PostSummary } from '#contracts/blog/blog.ts'
import { Byline } from './byline.tsx'
import { Cover } from './cover.tsx'
import { categoryPath, postPath } from './labels.ts'

// The whole card leads to the post; the category on it keeps its own way.
const whole = 'after:absolute after:inset-0 after:rounded-card'

/** A post in a grid of posts. */
export function PostCard({ post, heading: Heading = 'h2' }: { post: PostSummary; heading?: 'h2' | 'h3' }) {
  return (
    <article className="group relative flex min-w-0 flex-col">
      <Cover
        post={post}
        sizes="(min-width: 1025px) 368px, (min-width: 640px) 46vw, 92vw"
        className="aspect-[16/9] w-full rounded-card border"
      />
      <CategoryLink category={post.category} className="mt-5" />
      <Heading className="mt-1.5 text-lg font-semibold text-balance wrap-anywhere">
        <Link to={postPath(post)} className={`${whole} transition-colors group-hover:text-accent-text`}>
          {post.title}
        </Link>
      </Heading>
      <p className="mt-2 line-clamp-3 text-md wrap-anywhere text-text">{post.summary}</p>
      <Byline post={post} className="mt-4" />
    </article>
  )
}

/** The newest post, over the full width. */
export function LeadingPost({ post }: { post: PostSummary }) {
  return (
    <article className="group relative grid min-w-0 items-center gap-x-12 gap-y-6 md:grid-cols-[1.25fr_1fr]">
      <Cover
        post={post}
        sizes="(min-width: 1200px) 640px, (min-width: 768px) 52vw, 92vw"
        first
        className="aspect-[16/9] w-full rounded-card border"
      />
      <div className="min-w-0">
        <CategoryLink category={post.category} />
        <h2 className="mt-2 text-2xl font-[650] tracking-[-0.022em] wrap-anywhere">
          <Link to={postPath(post)} className={`${whole} transition-colors group-hover:text-accent-text`}>
            {post.title}
          </Link>
        </h2>
        <p className="mt-3 line-clamp-4 text-read wrap-anywhere text-text">{post.summary}</p>
        <Byline post={post} className="mt-5" />
      </div>
    </article>
  )
}

/** The category of a post as a way to its like. */
export function CategoryLink({ category, className = '' }: { category: string; className?: string }) {
  return (
    <p className={className}>
      <Link
        to={categoryPath(category)}
        className="relative z-10 rounded-[3px] text-sm font-semibold text-accent-text hover:underline"
      >
        {category}
      </Link>
    </p>
  )
}
