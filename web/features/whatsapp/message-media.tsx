import { useQuery } from '@tanstack/react-query'
import { Download, FileText, Film, ImageOff, Mic, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type ChatMessage, whatsappConversations } from '#contracts/whatsapp-inbox.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toaster.tsx'

interface MediaProps {
  conversationId: string
  message: ChatMessage
}

const asDataUrl = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** The picture, film, sound or document of a message, fetched with the caller's token: shown, played, or saved. */
export function MessageMedia({ conversationId, message }: MediaProps) {
  if (!message.media) return null
  if (message.kind === 'image' || message.kind === 'sticker')
    return <Picture conversationId={conversationId} message={message} />
  if (message.media.url && (message.kind === 'audio' || message.kind === 'video'))
    return <Played conversationId={conversationId} message={message} />
  return <Attached conversationId={conversationId} message={message} />
}

function Picture({ conversationId, message }: MediaProps) {
  const picture = useQuery({
    queryKey: ['whatsapp', 'media', message.id],
    enabled: message.media?.url !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const params = { id: conversationId, messageId: message.id }
      return asDataUrl(await (await api(whatsappConversations.media, { params })).blob())
    },
  })
  if (picture.data)
    return (
      <img
        src={picture.data}
        alt={message.text || 'Sent without words'}
        className="mb-1 max-h-72 min-h-16 min-w-24 max-w-full rounded-control object-contain"
      />
    )
  if (picture.isPending && message.media?.url) return <Skeleton className="mb-1 h-40 w-56 max-w-full rounded-control" />
  return (
    <p className="mb-1 flex items-center gap-2 text-sm text-muted">
      <ImageOff aria-hidden="true" className="size-4" />
      {picture.error ? messageOf(picture.error) : 'This picture is not here yet.'}
    </p>
  )
}

const kinds: Partial<Record<ChatMessage['kind'], { icon: typeof FileText; label: string }>> = {
  video: { icon: Film, label: 'Film' },
  audio: { icon: Mic, label: 'Voice message' },
}

/** Sound or film, fetched when somebody wants it and played from memory. */
function Played({ conversationId, message }: MediaProps) {
  const [source, setSource] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => () => URL.revokeObjectURL(source ?? ''), [source])
  async function fetchIt() {
    setBusy(true)
    try {
      const params = { id: conversationId, messageId: message.id }
      setSource(URL.createObjectURL(await (await api(whatsappConversations.media, { params })).blob()))
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const label = message.kind === 'audio' ? 'voice message' : 'film'
  if (source === null)
    return (
      <Button
        size="sm"
        busy={busy}
        className="my-1"
        icon={<Play aria-hidden="true" className="size-3.5" />}
        onClick={fetchIt}
      >
        Play the {label}
      </Button>
    )
  return message.kind === 'audio' ? (
    // biome-ignore lint/a11y/useMediaCaption: what strangers record has no captions
    <audio controls autoPlay src={source} className="my-1 h-10 w-64 max-w-full" />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: what strangers record has no captions
    <video controls autoPlay src={source} className="my-1 max-h-72 max-w-full rounded-control" />
  )
}

function Attached({ conversationId, message }: MediaProps) {
  const [busy, setBusy] = useState(false)
  const { icon: Icon, label } = kinds[message.kind] ?? { icon: FileText, label: 'Document' }
  const name = message.media?.fileName || label
  async function save() {
    setBusy(true)
    try {
      const params = { id: conversationId, messageId: message.id }
      await saveFile(await api(whatsappConversations.media, { params }), name)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mb-1 flex items-center gap-2.5 rounded-control border bg-raised px-3 py-2">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate text-base text-ink">{name}</span>
      {message.media?.url && (
        <Button
          size="sm"
          kind="quiet"
          busy={busy}
          icon={<Download aria-hidden="true" className="size-3.5" />}
          aria-label={`Save ${name}`}
          onClick={save}
        >
          Save
        </Button>
      )}
    </div>
  )
}
