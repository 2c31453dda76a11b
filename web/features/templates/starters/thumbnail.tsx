import { useEffect, useRef, useState } from 'react'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { MailFrame } from '../mail-frame.tsx'
import { useRendered, useRenderedVersion } from '../queries.ts'

const PAPER = 640
const TALL = 760

/** Whether the element has been in sight: images far down the page are not rendered before. */
function useSeen() {
  const ref = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const sight = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), { rootMargin: '200px' })
    const size = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    sight.observe(element)
    size.observe(element)
    return () => {
      sight.disconnect()
      size.disconnect()
    }
  }, [])
  return { ref, seen, width }
}

function ThumbnailImage({
  html,
  failed,
  paper,
}: {
  html: string | undefined
  failed: boolean
  paper: ReturnType<typeof useSeen>
}) {
  return (
    <div ref={paper.ref} className="relative aspect-4/3 overflow-hidden rounded-t-[9px] border-b bg-white">
      {failed ? (
        <p className="grid size-full place-items-center bg-sunken px-4 text-center text-sm text-muted">
          No preview available.
        </p>
      ) : html === undefined || paper.width === 0 ? (
        <Skeleton className="size-full rounded-none" />
      ) : (
        <MailFrame
          still
          html={html}
          title="Preview"
          className="pointer-events-none absolute top-0 left-0 origin-top-left border-0"
          style={{ width: PAPER, height: TALL, transform: `scale(${paper.width / PAPER})` }}
        />
      )}
    </div>
  )
}

/** A small image of a saved template. */
export function TemplateThumbnail({ id, version }: { id: string; version: string }) {
  const paper = useSeen()
  const rendered = useRendered(id, version, paper.seen)
  return <ThumbnailImage html={rendered.data?.html} failed={rendered.isError} paper={paper} />
}

/** A small image of an earlier state of a template. */
export function VersionThumbnail({ templateId, id }: { templateId: string; id: string }) {
  const paper = useSeen()
  const rendered = useRenderedVersion(templateId, id, paper.seen)
  return <ThumbnailImage html={rendered.data?.html} failed={rendered.isError} paper={paper} />
}

/** A small image of an email that was rendered. */
export function EmailThumbnail({ html, failed }: { html: string | undefined; failed: boolean }) {
  return <ThumbnailImage html={html} failed={failed} paper={useSeen()} />
}

/** The image of a starter template, as drawn by scripts/site-images.ts. */
export function StarterThumbnail({ id }: { id: string }) {
  return (
    <img
      src={`/starters/${id}.webp`}
      alt=""
      width={640}
      height={720}
      loading="lazy"
      className="aspect-4/3 w-full rounded-t-[9px] border-b bg-white object-cover object-top"
    />
  )
}
