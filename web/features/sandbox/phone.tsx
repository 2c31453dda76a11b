import {
  Bell,
  BellOff,
  CheckCheck,
  ChevronLeft,
  ImageIcon,
  ImagePlus,
  MoreHorizontal,
  SendHorizontal,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { SandboxChatMessage, SandboxNumber } from '#contracts/whatsapp-sandbox.ts'
import { messageOf } from '#web/api.ts'
import { MessageText } from '#web/features/whatsapp/index.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { Input } from '#web/ui/input.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { type ChatKey, useChat, useDeed } from './phone-queries.ts'

type Message = z.infer<typeof SandboxChatMessage>

interface PhoneProps {
  chat: ChatKey
  /** Whose phone it is. */
  name: string
  business: z.infer<typeof SandboxNumber> | undefined
  onBack: () => void
}

/** A person's phone: what came, buttons that can be tapped, and what is written back. */
export function Phone({ chat, name, business, onBack }: PhoneProps) {
  const { data } = useChat(chat)
  const deed = useDeed()
  const act = (given: Parameters<typeof deed.mutate>[0]['deed'], done?: string) =>
    deed.mutate(
      { chat, deed: given },
      {
        onSuccess: () => done && toast(done),
        onError: (error) => toast.error(messageOf(error)),
      },
    )
  const messages = data?.items ?? []
  return (
    <section
      aria-label={`Phone of ${name || `+${chat.person}`}`}
      className="flex min-h-128 w-full max-w-96 flex-col overflow-hidden border-line bg-page sm:my-5 sm:rounded-[26px] sm:border-[6px] wide:min-h-0"
    >
      <header className="flex items-center gap-2 border-b bg-raised px-3 py-2.5">
        <IconButton size="sm" label="All phones" className="wide:hidden" onClick={onBack}>
          <ChevronLeft aria-hidden="true" className="size-4" />
        </IconButton>
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-base font-semibold">{business?.verifiedName ?? 'A business'}</h2>
          <p className="truncate text-xs text-muted tabular-nums">
            on the phone of {name || 'somebody'}, +{chat.person}
          </p>
        </div>
        <Menu
          trigger={
            <IconButton size="sm" label="What this person does">
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => act({ act: 'read' }, 'Everything is read')}>
            <CheckCheck aria-hidden="true" />
            Read everything
          </MenuItem>
          <MenuItem onSelect={() => act({ act: 'image' })}>
            <ImagePlus aria-hidden="true" />
            Send a picture
          </MenuItem>
          <MenuItem onSelect={() => act({ act: 'stop_promotions' }, 'Promotions are stopped in WhatsApp’s settings')}>
            <BellOff aria-hidden="true" />
            Stop promotions
          </MenuItem>
          <MenuItem onSelect={() => act({ act: 'resume_promotions' }, 'Promotions are allowed again')}>
            <Bell aria-hidden="true" />
            Allow promotions again
          </MenuItem>
        </Menu>
      </header>
      <Screen messages={data && messages} onTap={(messageId, index) => act({ act: 'button', messageId, index })} />
      <Say busy={deed.isPending} onSay={(text) => act({ act: 'text', text })} />
    </section>
  )
}

interface ScreenProps {
  messages: Message[] | undefined
  onTap: (messageId: string, index: number) => void
}

function Screen({ messages, onTap }: ScreenProps) {
  const box = useRef<HTMLDivElement>(null)
  const last = messages?.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what moves it
  useEffect(() => {
    // scrollTo answers a promise in newer browsers, which is no way to clean up.
    box.current?.scrollTo(0, box.current.scrollHeight)
  }, [last])
  return (
    <div
      ref={box}
      role="log"
      aria-label="Chat"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled with the arrow keys
      tabIndex={0}
      className="min-h-0 flex-1 space-y-2 overflow-y-auto px-3 py-3 focus-visible:-outline-offset-2 max-wide:max-h-[60dvh]"
    >
      {!messages && <SkeletonRows rows={3} />}
      {messages?.length === 0 && <p className="py-6 text-center text-sm text-muted">Nothing was said yet.</p>}
      {messages?.map((message) => (
        <Said key={message.id} message={message} onTap={(index) => onTap(message.id, index)} />
      ))}
    </div>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

function Said({ message, onTap }: { message: Message; onTap: (index: number) => void }) {
  const own = message.from === 'person'
  return (
    <div className={cx('flex flex-col gap-1', own ? 'items-end' : 'items-start')}>
      <div
        className={cx(
          'max-w-[88%] min-w-20 rounded-card border px-3 py-1.5',
          own ? 'rounded-br-[3px] border-good/25 bg-good-soft' : 'rounded-bl-[3px] bg-raised',
        )}
      >
        {(message.mediaUrl || ['image', 'video', 'document', 'audio'].includes(message.kind)) && (
          <p className="mb-1 flex h-16 min-w-40 items-center justify-center gap-1.5 rounded-control bg-sunken text-sm text-muted">
            <ImageIcon aria-hidden="true" className="size-4" />
            {message.kind}
          </p>
        )}
        {message.header && <p className="text-base font-semibold wrap-anywhere text-ink">{message.header}</p>}
        {message.text && (
          <p className="text-base wrap-anywhere whitespace-pre-wrap text-ink">
            <MessageText text={message.text} />
          </p>
        )}
        {message.footer && <p className="text-sm wrap-anywhere text-muted">{message.footer}</p>}
        <p className="text-right text-xs text-muted tabular-nums">{clock.format(new Date(message.at))}</p>
      </div>
      {message.buttons.map((button, index) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no identity but their place
          key={index}
          size="sm"
          disabled={!button.reply}
          className="w-[88%] text-accent-text!"
          onClick={() => onTap(index)}
        >
          {button.text}
        </Button>
      ))}
    </div>
  )
}

function Say({ busy, onSay }: { busy: boolean; onSay: (text: string) => void }) {
  const [text, setText] = useState('')
  return (
    <form
      className="flex items-center gap-2 border-t bg-raised p-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!text.trim() || busy) return
        onSay(text.trim())
        setText('')
      }}
    >
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
