import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Byline } from '../../public/byline.tsx'
import { PostText } from '../../public/post-text.tsx'
import { type Draft, instantOfAppearance } from './draft.ts'
import { useImageSource } from './use-image-source.ts'

/** The post as readers will see it, before anything is saved. The text is what the editor let in: nothing in it acts. */
export function PreviewDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const cover = useImageSource(draft.cover)
  const at = draft.appears.kind === 'later' ? instantOfAppearance(draft.appears) : new Date()
  const words = draft.content
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter(Boolean).length
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Preview" size="lg">
      <article className="pb-8">
        <p className="text-sm font-semibold text-accent-text">{draft.category}</p>
        <h1 className="mt-2 text-2xl font-[680] tracking-[-0.03em] wrap-anywhere">{draft.title || 'Untitled'}</h1>
        {draft.metaDescription && <p className="mt-4 text-lg wrap-anywhere text-muted">{draft.metaDescription}</p>}
        <Byline
          className="mt-4"
          post={{
            authorName: draft.authorName.trim() || 'Anonymous',
            publishedAt: (at ?? new Date()).toISOString(),
            readingTime: Math.max(1, Math.round(words / 230)),
          }}
        />
        {cover && <img src={cover} alt="" className="mt-6 w-full rounded-card" />}
        <PostText html={draft.content} className="mt-6" />
      </article>
    </Dialog>
  )
}
