import { useQuery } from '@tanstack/react-query'
import { Download, FileText, Film, ImageOff, Mic, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { errorMessage } from '#web/api.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'

interface ChatFileProps {
  /** What it is remembered by: a message or a file of its own. */
  id: string
  kind: 'image' | 'sticker' | 'video' | 'audio' | 'document'
  /** What a document is called. */
  name: string
  /** What an image shows, in words. */
  alt: string
  /** Fetches it with the caller's token; null: it is not there. */
  load: (() => Promise<Response>) | null
}

const asDataUrl = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** The image, video, audio or document of a message: shown, played, or saved. */
export function ChatFile(props: ChatFileProps) {
  if (props.kind === 'image' || props.kind === 'sticker') return <ChatImage {...props} />
  if (props.load && props.kind !== 'document') return <Played {...props} load={props.load} />
  return <StoredFile {...props} />
}

function ChatImage({ id, alt, load }: ChatFileProps) {
  const image = useQuery({
    queryKey: ['chat-file', id],
    enabled: load !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (load ? asDataUrl(await (await load()).blob()) : null),
  })
  if (image.data)
    return (
      <img
        src={image.data}
        alt={alt || 'This file is sent without text'}
        className="mb-1 max-h-72 min-h-16 min-w-24 max-w-full rounded-control object-contain"
      />
    )
  if (image.isPending && load) return <Skeleton className="mb-1 h-40 w-56 max-w-full rounded-control" />
  return (
    <p className="mb-1 flex items-center gap-2 text-sm text-muted">
      <ImageOff aria-hidden="true" className="size-4 shrink-0" />
      {image.error ? errorMessage(image.error) : 'This image is not available.'}
    </p>
  )
}

const kinds: Partial<Record<ChatFileProps['kind'], { icon: typeof FileText; label: string }>> = {
  video: { icon: Film, label: 'Video' },
  audio: { icon: Mic, label: 'Voice message' },
}

/** Audio or video, fetched when somebody wants it and played from memory. */
function Played({ kind, load }: ChatFileProps & { load: () => Promise<Response> }) {
  const [source, setSource] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => () => URL.revokeObjectURL(source ?? ''), [source])
  async function fetchIt() {
    setBusy(true)
    try {
      setSource(URL.createObjectURL(await (await load()).blob()))
    } catch (error) {
      toast.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  if (source === null)
    return (
      <Button
        size="sm"
        busy={busy}
        className="my-1"
        icon={<Play aria-hidden="true" className="size-3.5" />}
        onClick={fetchIt}
      >
        Play {kind === 'audio' ? 'voice message' : 'video'}
      </Button>
    )
  return kind === 'audio' ? (
    // biome-ignore lint/a11y/useMediaCaption: what strangers record has no captions
    <audio controls autoPlay src={source} className="my-1 h-10 w-64 max-w-full" />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: what strangers record has no captions
    <video controls autoPlay src={source} className="my-1 max-h-72 max-w-full rounded-control" />
  )
}

function StoredFile({ kind, name, load }: ChatFileProps) {
  const [busy, setBusy] = useState(false)
  const { icon: Icon, label } = kinds[kind] ?? { icon: FileText, label: 'Document' }
  const shown = name || label
  async function save(from: () => Promise<Response>) {
    setBusy(true)
    try {
      await saveFile(await from(), shown)
    } catch (error) {
      toast.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mb-1 flex items-center gap-2.5 rounded-control border bg-raised px-3 py-2">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate text-base text-ink">{shown}</span>
      {load ? (
        <Button
          size="sm"
          kind="quiet"
          busy={busy}
          icon={<Download aria-hidden="true" className="size-3.5" />}
          aria-label={`Save ${shown}`}
          onClick={() => save(load)}
        >
          Save
        </Button>
      ) : (
        <span className="shrink-0 text-sm text-muted">not available</span>
      )}
    </div>
  )
}
