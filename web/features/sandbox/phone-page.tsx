import { FlaskConical, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { ApiError } from '#contracts/client.ts'
import type { SandboxChat } from '#contracts/whatsapp-sandbox.ts'
import { useUser } from '#web/features/accounts/index.ts'
import { NotFound } from '#web/features/site/index.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { PeopleDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { NewChat } from './new-chat.tsx'
import { NoStandIn } from './no-stand-in.tsx'
import { Phone } from './phone.tsx'
import { type ChatKey, useChats, useStandIn } from './phone-queries.ts'
import { SandboxTabs } from './sandbox-tabs.tsx'

export const meta = () => [{ title: 'WhatsApp sandbox · Postlark' }, { name: 'robots', content: 'noindex' }]

/** The other end of WhatsApp where it is played on this machine, for admins. To everybody else there is no such page. */
export default function PhonePage() {
  const user = useUser(true)
  if (user.data?.role !== 'admin') return <NotFound />
  return <People />
}

function People() {
  const [search, setSearch] = useSearchParams()
  const standIn = useStandIn()
  const chats = useChats()
  const [adding, setAdding] = useState(false)
  const [showing, setShowing] = useState(false)
  if (standIn.error instanceof ApiError && standIn.error.status === 404) return <NoStandIn />
  const [number, person] = (search.get('chat') ?? '').split('-')
  const open: ChatKey | undefined = number && person ? { number, person } : undefined
  const select = (chat: ChatKey | undefined) =>
    setSearch(chat ? { chat: `${chat.number}-${chat.person}` } : {}, { preventScrollReset: true })
  const items = chats.data?.items ?? []
  return (
    <>
      <SandboxTabs />
      <div className={cx(open && 'max-wide:hidden')}>
        <PageHeader
          title="WhatsApp sandbox"
          description="The phones of the people you write to. Read and answer as they would; nothing leaves this machine."
          action={
            <>
              <Button
                kind="quiet"
                icon={<FlaskConical aria-hidden="true" className="size-4" />}
                onClick={() => setShowing(true)}
              >
                Try a failure
              </Button>
              <Button
                kind="primary"
                icon={<Plus aria-hidden="true" className="size-4" />}
                onClick={() => setAdding(true)}
              >
                Write as somebody
              </Button>
            </>
          }
        />
      </div>
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
            <EmptyState drawing={<PeopleDrawing />} title="No chat yet">
              Whoever is written to appears here; or write first, as a customer would.
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
              business={standIn.data?.items.find((one) => one.phoneNumberId === open.number)}
              onBack={() => select(undefined)}
            />
          ) : (
            <EmptyState title="Choose a phone" className="my-auto">
              What its owner sees opens here.
            </EmptyState>
          )}
        </div>
      </div>
      {adding && standIn.data && (
        <NewChat numbers={standIn.data.items} onClose={() => setAdding(false)} onWritten={select} />
      )}
      <Dialog
        open={showing}
        onOpenChange={setShowing}
        title="People with a fate"
        description="Write to one of these numbers, and this happens. Add it as a contact first."
      >
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 pb-4 text-base">
          {standIn.data?.magic.map(({ phone, code, what }) => (
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
    </>
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
                {chat.preview || 'No words'}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
