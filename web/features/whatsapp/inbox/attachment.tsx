import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { type Reply, whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { api } from '#web/api.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { formatBytes } from '#web/ui/lib/format.ts'

const ACCEPT =
  'image/jpeg,image/png,video/mp4,video/3gpp,audio/aac,audio/mp4,audio/mpeg,audio/amr,audio/ogg,application/pdf,text/plain,.doc,.docx,.xls,.xlsx,.ppt,.pptx'

/** The reply to a file that was handed to Meta. */
export async function fileReply(accountId: string, file: File, caption: string): Promise<Reply> {
  const form = new FormData()
  form.append('file', file)
  const { kind, mediaId, fileName } = await api(whatsappConversations.upload, { query: { accountId }, form })
  if (kind === 'audio') return { kind, mediaId }
  if (kind === 'document') return { kind, mediaId, caption, fileName }
  return { kind, mediaId, caption }
}

/** A button that asks for a file WhatsApp takes. */
export function Attach({ onFile }: { onFile: (file: File) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label="Attach a file" onClick={() => picker.current?.click()}>
        <Paperclip aria-hidden="true" className="size-4" />
      </IconButton>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="File to attach"
        accept={ACCEPT}
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          if (chosen) onFile(chosen)
          event.target.value = ''
        }}
      />
    </>
  )
}

/** The file that goes with the next reply, until it is taken away. */
export function Attached({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <p className="flex items-center gap-2 rounded-control border bg-page px-3 py-1.5 text-sm text-text">
      <Paperclip aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 truncate text-ink">{file.name}</span>
      <span className="shrink-0 text-muted">{formatBytes(file.size)}</span>
      <IconButton size="sm" label={`Remove ${file.name}`} className="ml-auto" onClick={onRemove}>
        <X aria-hidden="true" className="size-3.5" />
      </IconButton>
    </p>
  )
}
