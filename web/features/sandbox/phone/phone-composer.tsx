import { Paperclip, SendHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorMessage } from '#web/api.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { type ChatKey, useFileDeed } from './queries.ts'

/** Where the person writes, or chooses an image, video, audio or document; what was written goes under it. */
export function PhoneComposer({ chat, busy, onSay }: { chat: ChatKey; busy: boolean; onSay: (text: string) => void }) {
  const [text, setText] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const sending = useFileDeed()
  return (
    <form
      className="flex items-center gap-1.5 border-t bg-raised p-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!text.trim() || busy) return
        onSay(text.trim())
        setText('')
      }}
    >
      <IconButton
        label="Send a file as this person"
        disabled={sending.isPending}
        onClick={() => picker.current?.click()}
      >
        <Paperclip aria-hidden="true" className="size-4" />
      </IconButton>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="File of this person"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (!file) return
          sending.mutate(
            { chat, file, caption: text.trim() },
            { onSuccess: () => setText(''), onError: (error) => toast.error(errorMessage(error)) },
          )
        }}
      />
      <Input
        aria-label="Message as this person"
        placeholder="Message"
        maxLength={4_096}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <IconButton kind="primary" type="submit" label="Send as this person">
        <SendHorizontal aria-hidden="true" className="size-4" />
      </IconButton>
    </form>
  )
}
