import { FlaskConical, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { ApiError } from '#contracts/client.ts'
import type { SandboxChat } from '#contracts/sandbox/whatsapp.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { SandboxSection } from '../sandbox-section.tsx'
import { NewChat } from './new-chat.tsx'
import { NoEmulator } from './no-emulator.tsx'
import { Phone } from './phone.tsx'
import { type ChatKey, useChats, useEmulator } from './queries.ts'

export const meta = () => [{ title: 'WhatsApp sandbox · Postlark' }, { name: 'robots', content: 'noindex' }]

/** The phones of test contacts where Meta is played on this machine: those of the workspace's numbers, all for admins. */
export default function PhonePage() {
  const [search, setSearch] = useSearchParams()
  const emulator = useEmulator()
  const chats = useChats()
  const [adding, setAdding] = useState(false)
  const [showing, setShowing] = useState(false)
  if (emulator.error instanceof ApiError && emulator.error.status === 404) return <NoEmulator />
  const [number, person] = (search.get('chat') ?? '').split('-')
  const open: ChatKey | undefined = number && person ? { number, person } : undefined
  const select = (chat: ChatKey | undefined) =>
    setSearch(chat ? { chat: `${chat.number}-${chat.person}` } : {}, { preventScrollReset: true })
  const items = chats.data?.items ?? []
  const hasNumber = emulator.data?.items.length !== 0
  return (
    <SandboxSection>
      <PageHeader
        title="WhatsApp sandbox"
        description={
          <span className={cx(open && 'max-wide:hidden')}>
            The phones of your test contacts. Read and reply as they would. No real messages are sent.
          </span>
        }
        action={
          <div className={cx('flex flex-wrap items-center gap-2', open && 'max-wide:hidden')}>
            <Button
              kind="quiet"
              icon={<FlaskConical aria-hidden="true" className="size-4" />}
              onClick={() => setShowing(true)}
            >
              Simulate a failure
            </Button>
            {hasNumber && (
              <Button
                kind="primary"
                icon={<Plus aria-hidden="true" className="size-4" />}
                onClick={() => setAdding(true)}
              >
                Simulate a message
              </Button>
            )}
          </div>
        }
      />
      <div className="overflow-hidden rounded-card border bg-surface wide:grid wide:h-[calc(100dvh-16rem)] wide:min-h-128 wide:grid-cols-[20rem_minmax(0,1fr)]">
        <section
          aria-label="Phones"
          className={cx('min-h-0 min-w-0 wide:overflow-y-auto wide:border-r', open && 'max-wide:hidden')}
        >
          {chats.error && !chats.data ? (
            <ErrorState title="The chats could not be loaded" error={chats.error} onRetry={() => chats.refetch()} />
          ) : chats.isPending ? (
            <SkeletonRows rows={6} />
          ) : items.length === 0 ? (
            <EmptyState
              drawing={<PeopleDrawing />}
              title={hasNumber ? 'No chats yet' : 'No sandbox number yet'}
              action={
                hasNumber || (
                  <ButtonLink kind="primary" to="/whatsapp-sender/numbers">
                    Connect number
                  </ButtonLink>
                )
              }
            >
              {hasNumber
                ? 'People you message appear here. You can also simulate a message from a customer.'
                : 'Connect a sandbox number. The phones of the people you message appear here.'}
            </EmptyState>
          ) : (
            <ChatList chats={items} open={open} onOpen={select} />
          )}
        </section>
        <div className={cx('flex min-h-0 min-w-0 justify-center bg-sunken', !open && 'max-wide:hidden')}>
          {open ? (
            <Phone
              key={`${open.number}-${open.person}`}
              chat={open}
              name={items.find((one) => one.number === open.number && one.person === open.person)?.name ?? ''}
              business={emulator.data?.items.find((one) => one.phoneNumberId === open.number)}
              onBack={() => select(undefined)}
            />
          ) : (
            <EmptyState title="Choose a phone" className="my-auto">
              The screen of the phone opens here.
            </EmptyState>
          )}
        </div>
      </div>
      {adding && emulator.data && (
        <NewChat numbers={emulator.data.items} onClose={() => setAdding(false)} onWritten={select} />
      )}
      <Dialog
        open={showing}
        onOpenChange={setShowing}
        title="Numbers that fail on purpose"
        description="Messages to these numbers have the result shown. Add a number as a contact first."
      >
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 pb-4 text-base">
          {emulator.data?.magic.map(({ phone, code, what }) => (
            <div key={phone} className="contents">
              <dt>
                <code className="rounded-[4px] border bg-sunken px-1.5 py-0.5 font-mono text-sm text-ink">{phone}</code>
              </dt>
              <dd className="text-text">
                {what}
                {code > 0 && ` (${code})`}
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </SandboxSection>
  )
}

interface ChatListProps {
  chats: z.infer<typeof SandboxChat>[]
  open: ChatKey | undefined
  onOpen: (chat: ChatKey) => void
}

function ChatList({ chats, open, onOpen }: ChatListProps) {
  return (
    <ul aria-label="Chats" className="divide-y">
      {chats.map((chat) => {
        const isOpen = chat.number === open?.number && chat.person === open?.person
        return (
          <li key={`${chat.number} ${chat.person}`}>
            <button
              type="button"
              aria-current={isOpen || undefined}
              onClick={() => onOpen({ number: chat.number, person: chat.person })}
              className={cx(
                'block w-full px-4 py-3 text-left transition-colors focus-visible:-outline-offset-2',
                isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <span className="block truncate text-base font-medium text-ink">{chat.name || `+${chat.person}`}</span>
              <span className={cx('block truncate text-sm', isOpen ? 'text-text' : 'text-muted')}>
                {chat.preview || 'No text'}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
