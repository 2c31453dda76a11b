import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#web/query.ts'
import { useToken } from '#web/session/session.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { FocusedPage } from '#web/ui/layout/focused-page.tsx'
import { PostWriter } from './post-writer.tsx'

export const meta = () => [{ title: 'New post · Postlark' }, { name: 'robots', content: 'noindex' }]

/** /blog/create: the same editor, open to everybody. Saving needs an admin; until then the text stays in this browser. */
export default function OpenPostPage() {
  // Undefined while the page is made on the server, which cannot know what this browser has stored.
  const here = useToken() !== undefined
  const exit = { to: '/blogs', label: 'blog' }
  return (
    <QueryClientProvider client={queryClient}>
      {here ? (
        <PostWriter
          autosaves={false}
          exit={exit}
          notice={<Banner>Anyone can write here. Saving requires an admin account.</Banner>}
        />
      ) : (
        <FocusedPage exit={exit}>
          <Spinner className="py-24" />
        </FocusedPage>
      )}
    </QueryClientProvider>
  )
}
