import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { clearSession } from '#web/session/session.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { usePost } from '../../queries.ts'
import type { Route } from './+types/edit-post-page.ts'
import { PostForm } from './post-form.tsx'
import { REDIRECT_MS } from './use-writing.ts'

export const meta = () => [{ title: 'Edit post · Postlark' }]

/** One post in the editor, on a page of its own. */
export default function EditPostPage({ params }: Route.ComponentProps) {
  const post = usePost(params.id)
  const exit = { to: '/admin/blog', label: 'blog' }
  if (post.data) return <PostForm key={post.data.id} post={post.data} exit={exit} />
  return (
    <FocusedPage exit={exit} left={<h1 className="text-base font-semibold">Edit post</h1>}>
      {post.isError ? <LoadFailure error={post.error} onRetry={() => post.refetch()} /> : <Spinner className="py-24" />}
    </FocusedPage>
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
