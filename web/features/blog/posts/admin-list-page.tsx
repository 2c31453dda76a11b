import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { blog, type PostSummary } from '#contracts/blog/blog.ts'
import { api } from '#web/api.ts'
import { CursorPager, useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { EmailDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { ImportDialog } from '../imports/import-dialog.tsx'
import { usePosts } from '../queries.ts'
import { PostState } from './post-state.tsx'

export const meta = () => [{ title: 'Blog · Admin · Postlark' }]

const editPath = (post: PostSummary) => `/admin/blog/edit/${post.id}`

/** Every post, those nobody reads yet too. */
export default function AdminBlogPage() {
  const [search] = useSearchParams()
  const [importing, setImporting] = useState(false)
  const title = search.get('q') ?? ''
  return (
    <>
      <PageHeader
        title="Blog posts"
        description="All blog posts and drafts."
        action={
          <>
            <Button onClick={() => setImporting(true)}>Import posts</Button>
            <ButtonLink kind="primary" to="/admin/blog/create" icon={<Plus aria-hidden="true" className="size-4" />}>
              New Post
            </ButtonLink>
          </>
        }
      />
      <UrlSearch label="Search by title" className="mb-4 w-full sm:w-72" />
      <Card flush>
        <PostTable key={title} title={title} />
      </Card>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  )
}

function PostTable({ title }: { title: string }) {
  const pages = useCursorPages()
  const query = usePosts({ title, cursor: pages.cursor })
  const remove = useRemoval()
  if (query.isError && !query.data)
    return (
      <div role="alert" className="flex flex-col items-center gap-4 px-6 py-12 text-base text-harm-text">
        Failed to load blog posts.
        <Button onClick={() => query.refetch()}>Try again</Button>
      </div>
    )
  const columns: Column<PostSummary>[] = [
    {
      id: 'title',
      header: 'Title',
      cell: (post) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 py-1">
          <span className="min-w-0 whitespace-normal wrap-anywhere">{post.title}</span>
          <PostState post={post} />
        </span>
      ),
    },
    { id: 'category', header: 'Category', cell: (post) => post.category },
    { id: 'actions', header: 'Actions', cell: (post) => <Actions post={post} onRemove={remove} /> },
  ]
  return (
    <DataTable
      label="Blog posts"
      columns={columns}
      rows={query.data?.posts}
      rowKey={(post) => post.id}
      href={editPath}
      stale={query.isPlaceholderData}
      empty={
        <EmptyState drawing={title ? <SearchDrawing /> : <EmailDrawing />} title="No blog posts found.">
          {title
            ? 'Try part of another title.'
            : 'Write your first post, or import posts from Ghost or Markdown files.'}
        </EmptyState>
      }
      footer={
        <CursorPager
          pages={pages}
          nextCursor={query.data?.nextCursor}
          busy={query.isPlaceholderData}
          note={query.data && plural(query.data.total, 'post')}
        />
      }
    />
  )
}

function Actions({ post, onRemove }: { post: PostSummary; onRemove: (post: PostSummary) => void }) {
  return (
    <span className="relative z-10 inline-flex gap-1">
      <Link
        to={editPath(post)}
        aria-label={`Edit ${post.title}`}
        className="inline-flex h-7 items-center rounded-control px-2.5 text-sm font-medium text-text hover:bg-hover hover:text-ink"
      >
        Edit
      </Link>
      <Button
        kind="quiet"
        size="sm"
        aria-label={`Delete ${post.title}`}
        className="text-harm-text!"
        onClick={() => onRemove(post)}
      >
        Delete
      </Button>
    </span>
  )
}

/** Asks in the words of docs/specification.md, 5, and takes the post out of every list that was read. */
function useRemoval() {
  const queries = useQueryClient()
  return async (post: PostSummary) => {
    if (!confirm('Are you sure you want to delete this post?')) return
    try {
      await api(blog.remove, { params: { id: post.id } })
      queries.setQueriesData<{ posts: PostSummary[]; nextCursor: string | null; total: number }>(
        { queryKey: ['blog', 'posts'] },
        (old) => old && { ...old, posts: old.posts.filter((one) => one.id !== post.id), total: old.total - 1 },
      )
    } catch {
      alert('Failed to delete the post.')
    }
  }
}
