import { ListPlus, SendHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Reply } from '#contracts/whatsapp/inbox.ts'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { Attach, Attached, fileReply } from './attachment.tsx'
import { buttonsProblem, ReplyButtons, saidButtons } from './reply-buttons.tsx'

interface WritingProps {
  accountId: string
  /** What is written is for the team and not for the person. */
  note: boolean
  onSend: (message: Reply) => Promise<unknown>
}

interface Typed {
  text: string
  /** Apart from the reply, so that it never goes to the person by mistake. */
  note: string
  file: File | null
  /** null: none were asked for. */
  buttons: string[] | null
}

const nothing = { text: '', file: null, buttons: null }

/** What was typed as a reply; a sentence where something is missing; undefined where there is nothing to send. */
async function buildReply({ text, file, buttons }: Typed, accountId: string): Promise<Reply | undefined> {
  const said = text.trim()
  if (file) return fileReply(accountId, file, said)
  if (buttons) {
    const problem = said === '' ? 'Write a message before you add buttons.' : buttonsProblem(buttons)
    if (problem) throw new Error(problem)
    return { kind: 'buttons', text: said, buttons: saidButtons(buttons) }
  }
  return said === '' ? undefined : { kind: 'text', text: said }
}

/** Words, a file or words with buttons; Enter sends, and what did not go stays as it was typed. */
export function Writing({ accountId, note, onSend }: WritingProps) {
  const [typed, setTyped] = useState<Typed>({ ...nothing, note: '' })
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const set = (change: Partial<Typed>) => setTyped((old) => ({ ...old, ...change }))
  const { text, file, buttons } = note ? { ...nothing, text: typed.note } : typed
  async function send() {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      const said = text.trim()
      const message = note ? said !== '' && ({ kind: 'note', text: said } as const) : await buildReply(typed, accountId)
      if (!message) return
      await onSend(message)
      set(note ? { note: '' } : nothing)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setBusy(false)
      field.current?.focus()
    }
  }
  const name = note ? 'Note for your team' : file ? 'Caption' : 'Reply'
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <FormBanner error={problem} />
      {file && <Attached file={file} onRemove={() => set({ file: null })} />}
      {buttons && (
        <ReplyButtons
          buttons={buttons}
          onChange={(changed) => set({ buttons: changed })}
          onRemoveAll={() => set({ buttons: null })}
        />
      )}
      <div className="flex items-end gap-2">
        {!note && !buttons && (
          <div className="flex shrink-0">
            <Attach onFile={(chosen) => set({ file: chosen })} />
            {!file && (
              <IconButton label="Add reply buttons" onClick={() => set({ buttons: [''] })}>
                <ListPlus aria-hidden="true" className="size-4" />
              </IconButton>
            )}
          </div>
        )}
        <Textarea
          ref={field}
          rows={1}
          aria-label={name}
          placeholder={note ? 'Visible only to your team' : file ? name : 'Write a reply'}
          maxLength={file || buttons ? 1_024 : 4_096}
          className={cx('field-sizing-content max-h-40 min-h-9! resize-none py-1.5!', note && 'bg-attention-soft')}
          value={text}
          onChange={(event) => set({ [note ? 'note' : 'text']: event.target.value })}
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
          <span className="max-sm:sr-only">{note ? 'Save note' : 'Send'}</span>
        </Button>
      </div>
      <p className="text-xs text-muted max-wide:hidden">
        Press Enter to send, Shift+Enter for a new line
        {note ? '' : '. *bold*, _italic_ and ~strikethrough~ are formatted in WhatsApp'}.
      </p>
    </form>
  )
}
