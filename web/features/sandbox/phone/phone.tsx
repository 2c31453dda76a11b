import { Bell, BellOff, CheckCheck, ChevronLeft, Hand, ImagePlus, MoreHorizontal } from 'lucide-react'
import { useRef } from 'react'
import type { z } from 'zod'
import { type SandboxChatMessage, type SandboxNumber, sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { api, errorMessage } from '#web/api.ts'
import { ChatFile, MessageText, useBottom } from '#web/features/whatsapp/index.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { zonedFormat } from '#web/ui/lib/zoned-time.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { PhoneComposer } from './phone-composer.tsx'
import { type ChatKey, useChat, useDeed } from './queries.ts'

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
        onError: (error) => toast.error(errorMessage(error)),
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
          <h2 className="truncate text-base font-semibold">{business?.verifiedName ?? 'Business'}</h2>
          <p className="truncate text-xs text-muted tabular-nums">
            on the phone of {name || 'someone'}, +{chat.person}
          </p>
        </div>
        <Menu
          trigger={
            <IconButton size="sm" label="Simulate an action">
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => act({ act: 'read' }, 'All messages read')}>
            <CheckCheck aria-hidden="true" />
            Read all messages
          </MenuItem>
          <MenuItem onSelect={() => act({ act: 'image' })}>
            <ImagePlus aria-hidden="true" />
            Send a sample image
          </MenuItem>
          <MenuItem onSelect={() => act({ act: 'text', text: 'STOP' })}>
            <Hand aria-hidden="true" />
            Send STOP
          </MenuItem>
          <MenuSeparator />
          <MenuItem onSelect={() => act({ act: 'stop_promotions' }, 'Promotions stopped in WhatsApp settings')}>
            <BellOff aria-hidden="true" />
            Stop promotions
          </MenuItem>
          <MenuItem onSelect={() => act({ act: 'resume_promotions' }, 'Promotions allowed again')}>
            <Bell aria-hidden="true" />
            Allow promotions again
          </MenuItem>
        </Menu>
      </header>
      <Screen messages={data && messages} onTap={(messageId, index) => act({ act: 'button', messageId, index })} />
      <PhoneComposer chat={chat} busy={deed.isPending} onSay={(text) => act({ act: 'text', text })} />
    </section>
  )
}

interface ScreenProps {
  messages: Message[] | undefined
  onTap: (messageId: string, index: number) => void
}

function Screen({ messages, onTap }: ScreenProps) {
  const box = useRef<HTMLDivElement>(null)
  useBottom(box, messages?.at(-1)?.id)
  return (
    <div
      ref={box}
      role="log"
      aria-label="Chat"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled with the arrow keys
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto px-3 py-3 focus-visible:-outline-offset-2 max-wide:max-h-[60dvh]"
    >
      <div className="space-y-2">
        {!messages && <SkeletonRows rows={3} />}
        {messages?.length === 0 && <p className="py-6 text-center text-sm text-muted">No messages yet.</p>}
        {messages?.map((message) => (
          <Said key={message.id} message={message} onTap={(index) => onTap(message.id, index)} />
        ))}
      </div>
    </div>
  )
}

const clock = zonedFormat({ hour: '2-digit', minute: '2-digit' })

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
        {message.media && <File media={message.media} alt={message.text} />}
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

/** The file of a message: one the emulator keeps is shown as on a phone, an image elsewhere from its address. */
function File({ media, alt }: { media: NonNullable<Message['media']>; alt: string }) {
  const { kind, id, link, name } = media
  if (id === null && link !== null)
    return kind === 'image' ? (
      <img
        src={link}
        alt={alt || `Image at ${link}`}
        referrerPolicy="no-referrer"
        className="mb-1 max-h-72 min-h-16 max-w-full rounded-control object-contain text-sm text-muted"
      />
    ) : (
      <p className="mb-1 text-sm wrap-anywhere text-muted">
        {name || `A ${kind}`}, at {link}
      </p>
    )
  return (
    <ChatFile
      id={`sandbox ${id}`}
      kind={kind}
      name={name}
      alt={alt}
      load={id === null ? null : () => api(sandboxWhatsApp.media, { params: { id } })}
    />
  )
}
