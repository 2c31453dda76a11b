import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { clearSession } from '#web/session/session.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { usePost } from '../../queries.ts'
import { PostState } from '../post-state.tsx'
import type { Route } from './+types/edit-post-page.ts'
import { PostForm } from './post-form.tsx'
import { REDIRECT_MS } from './use-writing.ts'

export const meta = () => [{ title: 'Edit post · Postlark' }]

/** One post in the editor. */
export default function EditPostPage({ params }: Route.ComponentProps) {
  const post = usePost(params.id)
  return (
    <>
      <PageHeader
        title="Edit post"
        back={{ to: '/admin/blog', label: 'Blog' }}
        badge={post.data && <PostState post={post.data} />}
      />
      {post.data ? (
        <PostForm key={post.data.id} post={post.data} />
      ) : post.isError ? (
        <LoadFailure error={post.error} onRetry={() => post.refetch()} />
      ) : (
        <Spinner className="py-24" />
      )}
    </>
  )
}

function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const navigate = useNavigate()
  const location = useLocation()
  const signedOut = error instanceof ApiError && error.status === 401
  useEffect(() => {
    if (!signedOut) return
    const timer = setTimeout(() => {
      clearSession()
      void navigate('/login', { state: { from: location } })
    }, REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [signedOut, navigate, location])
  if (signedOut)
    return (
      <Banner tone="harm" role="alert">
        Authentication required to edit posts
      </Banner>
    )
  return (
    <Banner
      tone="harm"
      role="alert"
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Failed to load blog post
    </Banner>
  )
}
