import { type ChatMessage, whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { api } from '#web/api.ts'
import { ChatFile } from './chat-file.tsx'

const SHOWN = ['image', 'sticker', 'video', 'audio'] as const

/** The image, video, audio or document of a message, fetched with the caller's token. */
export function MessageMedia({ conversationId, message }: { conversationId: string; message: ChatMessage }) {
  const { media, kind, id, text } = message
  if (!media) return null
  const load = () => api(whatsappConversations.media, { params: { id: conversationId, messageId: id } })
  return (
    <ChatFile
      id={`message ${id}`}
      kind={SHOWN.find((one) => one === kind) ?? 'document'}
      name={media.fileName}
      alt={text}
      load={media.url === null ? null : load}
    />
  )
}
