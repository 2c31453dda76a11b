import { ListPlus, MessageSquareQuote, SendHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Conversation, Reply } from '#contracts/whatsapp/inbox.ts'
import type { SavedReply } from '#contracts/whatsapp/saved-replies.ts'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { fillVariables } from '../saved-replies/fill-variables.ts'
import { ReplyMenu, useReplyMenu } from '../saved-replies/reply-menu.tsx'
import { SavedRepliesDialog } from '../saved-replies/saved-replies-dialog.tsx'
import { Attach, Attached, fileReply } from './attachment.tsx'
import { useConversationContact } from './queries.ts'
import { buttonsProblem, ReplyButtons, saidButtons } from './reply-buttons.tsx'
import { NOTHING_TYPED, readUnsent, storeUnsent, type Typed, unsentKey } from './unsent.ts'

interface WritingProps {
  /** Who writes: the same for as long as it is shown. */
  userId: string | undefined
  conversation: Conversation
  /** What is written is for the team and not for the person. */
  note: boolean
  onSend: (message: Reply) => Promise<unknown>
}

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

/** What the menu of saved replies needs to know, and how to open it. */
function useSavedReplies(
  conversation: Conversation,
  text: string,
  canInsert: boolean,
  setText: (text: string) => void,
) {
  const [managing, setManaging] = useState(false)
  /** The text whose menu was closed by Escape. */
  const [closedAt, setClosedAt] = useState<string>()
  const { data: contact } = useConversationContact(conversation)
  // A reply that begins with a slash looks for a saved one.
  const query = canInsert && /^\/[^\n]*$/.test(text) && text !== closedAt ? text.slice(1) : undefined
  const { name, phone } = conversation
  const onChoose = (reply: SavedReply) => setText(fillVariables(reply.text, { ...contact, name, phone }))
  const menu = useReplyMenu({ query, onChoose, onClose: () => setClosedAt(text) })
  return {
    menu,
    dialog: managing && <SavedRepliesDialog onClose={() => setManaging(false)} />,
    list: query !== undefined && <ReplyMenu {...menu} onChoose={onChoose} onManage={() => setManaging(true)} />,
    open() {
      setClosedAt(undefined)
      if (text === '') setText('/')
      else if (!text.startsWith('/')) setManaging(true)
    },
  }
}

interface ToolsProps {
  hasFile: boolean
  onFile: (file: File) => void
  onSaved: () => void
  onButtons: () => void
}

/** What a reply may hold besides words. */
function Tools({ hasFile, onFile, onSaved, onButtons }: ToolsProps) {
  return (
    <div className="flex shrink-0">
      <Attach onFile={onFile} />
      {!hasFile && (
        <>
          <IconButton label="Saved replies" onClick={onSaved}>
            <MessageSquareQuote aria-hidden="true" className="size-4" />
          </IconButton>
          <IconButton label="Add reply buttons" onClick={onButtons}>
            <ListPlus aria-hidden="true" className="size-4" />
          </IconButton>
        </>
      )}
    </div>
  )
}

/** What is typed, without what is still as it was sent. */
const withoutSent = (typed: Typed, sent: Typed): Typed => ({
  text: typed.text === sent.text ? '' : typed.text,
  note: typed.note === sent.note ? '' : typed.note,
  file: typed.file === sent.file ? null : typed.file,
  buttons: typed.buttons === sent.buttons ? null : typed.buttons,
})

/** What is typed, and how it is sent: what did not go stays as it was typed. */
function useTyping({ userId, conversation, note, onSend }: WritingProps) {
  const { id, accountId } = conversation
  const key = unsentKey(userId, id)
  const [typed, setTyped] = useState<Typed>(() => readUnsent(key))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const latest = useRef(typed)
  const stored = useRef(typed)
  const underWay = useRef(NOTHING_TYPED)
  // A user who comes back to the conversation during a send must not find what is sent, and send it again.
  const store = () => {
    stored.current = storeUnsent(key, withoutSent(latest.current, underWay.current))
  }
  const set = (change: Partial<Typed>) => {
    latest.current = { ...latest.current, ...change }
    store()
    setTyped(latest.current)
  }
  async function send() {
    if (busy) return
    setBusy(true)
    setProblem(null)
    const before = latest.current
    const sent = note ? { ...NOTHING_TYPED, note: before.note } : { ...before, note: '' }
    underWay.current = sent
    store()
    try {
      const said = before.note.trim()
      const message = note
        ? said !== '' && ({ kind: 'note', text: said } as const)
        : await buildReply(before, accountId)
      if (message) {
        await onSend(message)
        // What was typed meanwhile stays.
        latest.current = withoutSent(latest.current, sent)
        setTyped(latest.current)
      }
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      underWay.current = NOTHING_TYPED
      // Unless the user returned meanwhile and typed something else.
      if (readUnsent(key) === stored.current) store()
      setBusy(false)
      field.current?.focus()
    }
  }
  const shown = note ? { ...NOTHING_TYPED, text: typed.note } : typed
  return { ...shown, problem, busy, field, set, send }
}

/** Words, a file or words with buttons; Enter sends. */
export function Writing(props: WritingProps) {
  const { conversation, note } = props
  const { text, file, buttons, problem, busy, field, set, send } = useTyping(props)
  const setText = (words: string) => {
    set({ [note ? 'note' : 'text']: words })
    field.current?.focus()
  }
  // The button that was pressed goes with what it removed.
  const remove = (change: Partial<Typed>) => {
    set(change)
    field.current?.focus()
  }
  const saved = useSavedReplies(conversation, text, !note && !file, setText)
  const name = note ? 'Note for your team' : file ? 'Caption' : 'Reply'
  return (
    <>
      <form
        className="space-y-2"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <FormBanner error={problem} />
        {file && <Attached file={file} onRemove={() => remove({ file: null })} />}
        {buttons && (
          <ReplyButtons
            buttons={buttons}
            onChange={(changed) => set({ buttons: changed })}
            onRemoveAll={() => remove({ buttons: null })}
          />
        )}
        <div className="relative flex items-end gap-2">
          {saved.list}
          {!note && !buttons && (
            <Tools
              hasFile={file !== null}
              onFile={(chosen) => set({ file: chosen })}
              onSaved={saved.open}
              onButtons={() => set({ buttons: [''] })}
            />
          )}
          <Textarea
            ref={field}
            rows={1}
            aria-label={name}
            placeholder={note ? 'Visible only to your team' : file ? name : 'Reply, or / for saved replies'}
            maxLength={file || buttons ? 1_024 : 4_096}
            className={cx('field-sizing-content max-h-40 min-h-9! resize-none py-1.5!', note && 'bg-attention-soft')}
            {...saved.menu.field}
            value={text}
            onChange={(event) => set({ [note ? 'note' : 'text']: event.target.value })}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing || event.shiftKey) return
              const isTaken = saved.menu.take(event.key)
              if (!isTaken && event.key !== 'Enter') return
              event.preventDefault()
              if (!isTaken) void send()
            }}
          />
          <Button
            kind="primary"
            type="submit"
            busy={busy}
            aria-label={note ? 'Save note' : 'Send'}
            icon={<SendHorizontal aria-hidden="true" className="size-4" />}
          />
        </div>
        <p className="text-xs text-muted max-wide:hidden">
          Enter to send, Shift+Enter for a new line{note ? '' : '. *bold*, _italic_ and ~strikethrough~ work'}.
        </p>
      </form>
      {/* Beside the form: what is submitted in it must not send the reply. */}
      {saved.dialog}
    </>
  )
}
