import { data, Link } from 'react-router'
import { blog, CATEGORIES } from '#contracts/blog/blog.ts'
import { ApiError } from '#contracts/client.ts'
import { apiContext, publicUrlContext } from '#web/page-context.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { buttonClass } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { plural } from '#web/ui/lib/format.ts'
import { EmailDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import type { Route } from './+types/list-page.ts'
import { categoryPath, tagPath } from './labels.ts'
import { listFacts } from './page-facts.ts'
import { LeadingPost, PostCard } from './post-card.tsx'
import { SearchForm } from './search-form.tsx'
import { SubscribeForm } from './subscribe-form.tsx'

const PAGE = 13

/** Four addresses of one list: all posts, those of a category, with a tag, or with some words. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { pathname, searchParams } = new URL(request.url)
  const api = context.get(apiContext)
  const given = params as { category?: string; tag?: string }
  const searching = /^\/search(\.data)?\/?$/.test(pathname)
  const q = searching ? (searchParams.get('q') ?? '').trim().slice(0, 200) : ''
  const asked = searchParams.get('cursor') ?? undefined
  const filter = { q, category: given.category?.slice(0, 50), tag: given.tag?.slice(0, 50), limit: PAGE }
  // A cursor that was cut off in an address begins again at the newest; words that cannot be asked for are no address.
  const page = await api(blog.list, { query: { ...filter, cursor: asked } })
    .catch(() => api(blog.list, { query: filter }))
    .catch((error) => {
      throw error instanceof ApiError && error.status === 400 ? data(null, { status: 404 }) : error
    })
  const category =
    given.category &&
    (CATEGORIES.find((one) => one.toLowerCase() === filter.category?.toLowerCase()) ?? filter.category)
  return {
    ...page,
    publicUrl: context.get(publicUrlContext),
    searching,
    q,
    category,
    tag: filter.tag,
    later: asked !== undefined,
    categories: CATEGORIES,
  }
}

type ListPageData = Route.ComponentProps['loaderData']

function buildHead({ searching, q, category, tag }: ListPageData) {
  if (tag)
    return { title: `Posts tagged ${tag}`, description: `Everything we have written about ${tag}.`, path: tagPath(tag) }
  if (category)
    return { title: category, description: `Posts in the category ${category}.`, path: categoryPath(category) }
  if (searching)
    return {
      title: q ? `Posts with “${q}”` : 'Search the blog',
      description: 'Search titles and texts.',
      path: '/search',
    }
  return {
    title: 'The Postlark blog',
    description: 'Notes on lawful, delivered and honestly measured email.',
    path: '/blogs',
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return []
  const { searching, later, total } = loaderData
  return listFacts(loaderData.publicUrl, { ...buildHead(loaderData), hidden: searching || later || total === 0 })
}

export default function BlogListPage({ loaderData }: Route.ComponentProps) {
  const { posts, searching, q, later, total } = loaderData
  const { title, description } = buildHead(loaderData)
  const plain = !searching && !loaderData.category && !loaderData.tag
  const [first, ...rest] = posts
  const leading = plain && !later && first
  const inGrid = leading ? rest : posts
  return (
    <div className="mx-auto max-w-300 px-5 pt-14 pb-24 sm:px-8 sm:pt-20">
      <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
        <div className="min-w-0 flex-1 basis-96">
          <h1 className="text-2xl font-[680] tracking-[-0.03em] wrap-anywhere sm:text-3xl">{title}</h1>
          <p className="mt-3 text-read text-text">{searching && q ? `${plural(total, 'post')} found.` : description}</p>
        </div>
        <SearchForm text={q} />
      </header>
      <Categories data={loaderData} plain={plain} />
      {posts.length === 0 && <Nothing data={loaderData} />}
      {leading && (
        <div className="border-b pb-12">
          <LeadingPost post={leading} />
        </div>
      )}
      <div className={cx('grid gap-x-8 gap-y-14 sm:grid-cols-2 wide:grid-cols-3', leading && 'mt-12')}>
        {inGrid.map((post) => (
          <PostCard key={post.id} post={post} />
        ))}
      </div>
      <Pages data={loaderData} />
      <div className="mt-24">
        <SubscribeForm />
      </div>
    </div>
  )
}

function Categories({ data, plain }: { data: ListPageData; plain: boolean }) {
  const entries = [
    { to: '/blogs', label: 'All posts', current: plain },
    ...data.categories.map((name) => ({ to: categoryPath(name), label: name, current: name === data.category })),
  ]
  return (
    <nav aria-label="Categories" className="mt-8 mb-10 border-b">
      <ul className="-mb-px flex gap-x-6 overflow-x-auto text-base">
        {entries.map(({ to, label, current }) => (
          <li key={to} className="shrink-0">
            <Link
              to={to}
              aria-current={current ? 'page' : undefined}
              className="block border-b-2 border-transparent py-3 font-medium text-muted -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent-text aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Nothing({ data: { searching, q, category, tag } }: { data: ListPageData }) {
  if (searching)
    return (
      <EmptyState drawing={<SearchDrawing />} title={`No posts found for “${q}”`}>
        Try other words, or browse <BlogLink>all posts</BlogLink>.
      </EmptyState>
    )
  return (
    <EmptyState drawing={<EmailDrawing />} title="No posts yet">
      {category || tag ? (
        <>
          There are no posts under {category || tag}. Browse <BlogLink>other posts</BlogLink>.
        </>
      ) : (
        'The first post is on its way. Enter your email address below to get it by email.'
      )}
    </EmptyState>
  )
}

function BlogLink({ children }: { children: React.ReactNode }) {
  return (
    <Link to="/blogs" className="font-medium text-accent-text underline underline-offset-2">
      {children}
    </Link>
  )
}

function Pages({ data: { nextCursor, later, q } }: { data: ListPageData }) {
  if (!nextCursor && !later) return null
  const words = q ? `q=${encodeURIComponent(q)}` : ''
  return (
    <nav aria-label="Pages" className="mt-16 flex flex-wrap justify-between gap-3 border-t pt-6">
      {later ? (
        <Link to={`?${words}`} className={buttonClass()}>
          ← Newest posts
        </Link>
      ) : (
        <span />
      )}
      {nextCursor && (
        <Link
          to={`?${words && `${words}&`}cursor=${encodeURIComponent(nextCursor)}`}
          rel="next"
          className={buttonClass()}
        >
          Older posts →
        </Link>
      )}
    </nav>
  )
}
