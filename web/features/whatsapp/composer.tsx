import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LayoutTemplate, Paperclip, SendHorizontal, StickyNote, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Conversation, type Reply, whatsappConversations } from '#contracts/whatsapp-inbox.ts'
import { api, messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { formatBytes } from '#web/ui/format.ts'
import { Textarea } from '#web/ui/input.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { isOpen, useNow } from './window-left.tsx'

const ACCEPT =
  'image/jpeg,image/png,video/mp4,video/3gpp,audio/aac,audio/mp4,audio/mpeg,audio/amr,audio/ogg,application/pdf,text/plain,.doc,.docx,.xls,.xlsx,.ppt,.pptx'

/** The reply to a file that was handed to Meta. */
async function fileReply(accountId: string, file: File, caption: string): Promise<Reply> {
  const form = new FormData()
  form.append('file', file)
  const { kind, mediaId, fileName } = await api(whatsappConversations.upload, { query: { accountId }, form })
  if (kind === 'audio') return { kind, mediaId }
  if (kind === 'document') return { kind, mediaId, caption, fileName }
  return { kind, mediaId, caption }
}

/** Says something in a conversation; whatever was typed stays when that did not work. */
function useReply(conversation: Conversation) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (message: Reply) =>
      api(whatsappConversations.reply, { params: { id: conversation.id }, body: { message } }),
    onSettled: () =>
      Promise.all(
        ['messages', 'conversation'].map((name) =>
          queries.invalidateQueries({ queryKey: ['whatsapp', name, conversation.id] }),
        ),
      ),
  })
}

/** What can be answered now: anything inside the 24 hours, a template after them, a note always. */
export function Composer({ conversation }: { conversation: Conversation }) {
  useNow(5_000)
  const [mode, setMode] = useState<'reply' | 'note'>('reply')
  const [choosing, setChoosing] = useState(false)
  const reply = useReply(conversation)
  const open = isOpen(conversation.windowEndsAt, Date.now())
  const writing = mode === 'note' || open
  return (
    <div className="border-t px-4 py-3">
      <div className="mb-2 flex flex-wrap items-center gap-1.5">
        {(['reply', 'note'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={mode === one}
            onClick={() => setMode(one)}
            className="inline-flex h-7 items-center gap-1.5 rounded-full border px-3 text-sm font-medium text-text transition-colors hover:border-control aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
          >
            {one === 'note' && <StickyNote aria-hidden="true" className="size-3.5" />}
            {one === 'reply' ? 'Reply' : 'Note'}
          </button>
        ))}
        <Button
          size="sm"
          kind="quiet"
          className="ml-auto"
          icon={<LayoutTemplate aria-hidden="true" className="size-3.5" />}
          onClick={() => setChoosing(true)}
        >
          Send a template
        </Button>
      </div>
      {writing && mode === 'reply' && conversation.optedOut && (
        <p className="mb-2 text-sm text-harm-text">
          This person opted out. Answer what they ask; promotions are refused until they write START.
        </p>
      )}
      {writing ? (
        <Writing conversation={conversation} note={mode === 'note'} reply={reply} />
      ) : (
        <Closed conversation={conversation} onTemplate={() => setChoosing(true)} />
      )}
      {choosing && (
        <TemplateDialog
          title={`Send a template to ${conversation.name}`}
          accountId={conversation.accountId}
          onSend={(template) => reply.mutateAsync({ kind: 'template', ...template })}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

function Closed({ conversation, onTemplate }: { conversation: Conversation; onTemplate: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-dashed px-3.5 py-3">
      <p className="min-w-0 flex-1 basis-60 text-base text-text">
        {conversation.optedOut
          ? 'This person opted out, and last wrote more than 24 hours ago: nothing may be sent until they write again.'
          : conversation.lastInAt === null
            ? 'This person has not written yet, so WhatsApp only takes an approved template.'
            : 'More than 24 hours have passed since this person last wrote, so WhatsApp only takes an approved template.'}
      </p>
      {!conversation.optedOut && (
        <Button kind="primary" onClick={onTemplate}>
          Choose a template
        </Button>
      )}
    </div>
  )
}

interface WritingProps {
  conversation: Conversation
  note: boolean
  reply: ReturnType<typeof useReply>
}

function Writing({ conversation, note, reply }: WritingProps) {
  const [text, setText] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const attached = note ? null : file
  async function send() {
    const said = text.trim()
    if (busy || (!said && !attached)) return
    setBusy(true)
    setProblem(null)
    try {
      await reply.mutateAsync(
        note
          ? { kind: 'note', text: said }
          : attached
            ? await fileReply(conversation.accountId, attached, said)
            : { kind: 'text', text: said },
      )
      setText('')
      if (!note) setFile(null)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
      field.current?.focus()
    }
  }
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <FormBanner error={problem} />
      {attached && <Attached file={attached} onRemove={() => setFile(null)} />}
      <div className="flex items-end gap-2">
        {!note && <Attach onFile={setFile} />}
        <Textarea
          ref={field}
          rows={1}
          aria-label={note ? 'Note for your team' : attached ? 'Words under the file' : 'Reply'}
          placeholder={note ? 'Only your team reads this' : attached ? 'Words under the file' : 'Write a reply'}
          maxLength={attached ? 1_024 : 4_096}
          className={cx('field-sizing-content max-h-40 min-h-9! resize-none py-1.5!', note && 'bg-attention-soft')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            void send()
          }}
        />
        <Button
          kind="primary"
          type="submit"
          busy={busy}
          icon={<SendHorizontal aria-hidden="true" className="size-4" />}
        >
          {note ? 'Keep note' : 'Send'}
        </Button>
      </div>
      <p className="text-xs text-muted max-wide:hidden">
        Enter sends, Shift+Enter begins a new line
        {note ? '' : '. *bold*, _italic_ and ~struck~ are shown as on the phone'}.
      </p>
    </form>
  )
}

function Attach({ onFile }: { onFile: (file: File) => void }) {
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

function Attached({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <p className="flex items-center gap-2 rounded-control border bg-page px-3 py-1.5 text-sm text-text">
      <Paperclip aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 truncate text-ink">{file.name}</span>
      <span className="shrink-0 text-muted">{formatBytes(file.size)}</span>
      <IconButton size="sm" label={`Take ${file.name} away`} className="ml-auto" onClick={onRemove}>
        <X aria-hidden="true" className="size-3.5" />
      </IconButton>
    </p>
  )
}
