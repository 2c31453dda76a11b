import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#web/query.ts'
import { useToken } from '#web/session/session.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { PostWriter } from './post-writer.tsx'

export const meta = () => [{ title: 'New post · Postlark' }, { name: 'robots', content: 'noindex' }]

/** /blog/create: the same editor, open to everybody. Saving needs an admin; until then the text stays in this browser. */
export default function OpenPostPage() {
  // Undefined while the page is made on the server, which cannot know what this browser has stored.
  const here = useToken() !== undefined
  return (
    <div className="mx-auto max-w-240 px-5 py-6 sm:px-8">
      <QueryClientProvider client={queryClient}>
        {here ? <PostWriter autosaves={false} /> : <Spinner className="py-24" />}
      </QueryClientProvider>
      <p className="mx-auto mt-6 max-w-180 text-sm text-muted">
        Anyone can write here. Saving requires an admin account.
      </p>
    </div>
  )
}
