import { data, Link, redirect } from 'react-router'
import { blog } from '#contracts/blog/blog.ts'
import { ApiError } from '#contracts/client.ts'
import { NotFound } from '#web/features/site/index.ts'
import { apiContext, publicUrlContext } from '#web/page-context.ts'
import type { Route } from './+types/post-page.ts'
import { Byline } from './byline.tsx'
import { Cover } from './cover.tsx'
import { postPath, tagPath } from './labels.ts'
import { postFacts } from './page-facts.ts'
import { CategoryLink, PostCard } from './post-card.tsx'
import { PostText } from './post-text.tsx'
import { SubscribeForm } from './subscribe-form.tsx'

const unknown = (error: unknown) => {
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined
  throw error
}

/**
 * One post under /blog/{slug}, its one address; /blog-posts/{id or slug} and /{slug} show it too and name that address
 * as canonical. A slug it had before leads there for good.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const asked =
    (params as { slug?: string; identifier?: string }).slug ?? (params as { identifier?: string }).identifier ?? ''
  const api = context.get(apiContext)
  const post = asked.length > 200 ? undefined : await api(blog.get, { params: { id: asked } }).catch(unknown)
  if (!post) return data({ post: undefined, related: [], publicUrl: '' }, { status: 404 })
  if (asked !== post.slug && asked !== post.id) throw redirect(postPath(post), 301)
  const { items } = await api(blog.related, { params: { id: post.id } })
  return data({ post, related: items, publicUrl: context.get(publicUrlContext) })
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData?.post
    ? postFacts(loaderData.publicUrl, loaderData.post)
    : [{ title: 'Page Not Found · Postlark' }, { name: 'robots', content: 'noindex' }]

export default function PostPage({ loaderData: { post, related } }: Route.ComponentProps) {
  if (!post) return <NotFound />
  return (
    <>
      <article className="px-5 pt-12 sm:px-8 sm:pt-18">
        <header className="mx-auto max-w-[var(--measure)]">
          <CategoryLink category={post.category} />
          <h1 className="mt-3 text-2xl font-[680] tracking-[-0.03em] wrap-anywhere sm:text-3xl">{post.title}</h1>
          {post.metaDescription && (
            <p className="mt-5 text-lg leading-relaxed wrap-anywhere text-muted">{post.metaDescription}</p>
          )}
          <Byline post={post} className="mt-6" />
        </header>
        {post.coverImage && (
          <Cover
            post={post}
            sizes="(min-width: 1000px) 928px, 92vw"
            first
            className="mx-auto mt-10 h-auto max-h-[75dvh] w-full max-w-232 rounded-card"
          />
        )}
        <PostText html={post.content} className="mx-auto mt-10 max-w-[var(--measure)] sm:mt-12" />
        {post.tags.length > 0 && (
          <ul aria-label="Tags" className="mx-auto mt-12 flex max-w-[var(--measure)] flex-wrap gap-2">
            {post.tags.map((tag) => (
              <li key={tag} className="min-w-0">
                <Link
                  to={tagPath(tag)}
                  className="block rounded-full border bg-surface px-3 py-1 text-sm wrap-anywhere text-text transition-colors hover:border-control hover:text-ink"
                >
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </article>
      <div className="mx-auto my-16 max-w-[calc(var(--measure)+5rem)] px-5 print:hidden">
        <SubscribeForm />
      </div>
      {related.length > 0 && (
        <section aria-labelledby="related" className="mt-20 border-t bg-surface py-16 print:hidden">
          <div className="mx-auto max-w-300 px-5 sm:px-8">
            <h2 id="related" className="mb-8 text-xl font-semibold">
              Read next
            </h2>
            <div className="grid gap-x-8 gap-y-12 sm:grid-cols-2 wide:grid-cols-3">
              {related.map((one) => (
                <PostCard key={one.id} post={one} heading="h3" />
              ))}
            </div>
          </div>
        </section>
      )}
    </>
  )
}
