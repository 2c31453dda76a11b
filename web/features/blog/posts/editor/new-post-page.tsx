import { useUser } from '#web/session/queries.ts'
import { PostWriter } from './post-writer.tsx'

export const meta = () => [{ title: 'New post · Postlark' }, { name: 'robots', content: 'noindex' }]

/** A new post, for admins: /admin/blog/create, /create-blog, /post-form. A draft of it is saved as it is written. */
export default function NewPostPage() {
  const user = useUser()
  return <PostWriter autosaves author={user.data?.name ?? ''} exit={{ to: '/admin/blog', label: 'blog' }} />
}
