import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { PostForm } from './post-form.tsx'

export const meta = () => [{ title: 'New post · Postlark' }, { name: 'robots', content: 'noindex' }]

/** A new post, for admins: /admin/blog/create, /create-blog, /post-form. A draft of it is saved as it is written. */
export default function NewPostPage() {
  return (
    <>
      <PageHeader title="New post" back={{ to: '/admin/blog', label: 'Blog' }} />
      <PostForm autosaves />
    </>
  )
}
