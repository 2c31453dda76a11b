import { useEffect, useRef, useState } from 'react'
import type { ChatMessage, Conversation } from '#contracts/whatsapp/inbox.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { isSameDay } from '#web/ui/lib/zoned-time.ts'
import { Composer } from './composer.tsx'
import { ContactDetails, ContactPanel } from './contact-details.tsx'
import { ConversationHead } from './conversation-head.tsx'
import { MessageBubble } from './message-bubble.tsx'
import { useConversation, useConversationChange, useMessages } from './queries.ts'
import { useBottom } from './use-bottom.ts'

/** One conversation: who, what was said, and what may be answered. Opening it reads it. */
export function Thread({ id, back }: { id: string; back: string }) {
  const query = useConversation(id)
  const [details, setDetails] = useState(false)
  useReading(query.data)
  if (query.isPending) return <SkeletonRows rows={8} />
  if (!query.data)
    return (
      <Card flush className="border-0">
        <ErrorState title="This conversation could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      </Card>
    )
  const conversation = query.data
  return (
    <div className="flex min-h-0 flex-1">
      <section aria-label="Conversation" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConversationHead conversation={conversation} back={back} onDetails={() => setDetails(true)} />
        <Messages id={id} />
        <Composer key={id} conversation={conversation} />
      </section>
      <aside
        aria-label="Contact"
        // What scrolls has to be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled with the arrow keys
        tabIndex={0}
        className="hidden w-68 shrink-0 overflow-y-auto border-l p-4 focus-visible:-outline-offset-2 min-[1200px]:block"
      >
        <ContactDetails conversation={conversation} />
      </aside>
      {details && <ContactPanel conversation={conversation} onClose={() => setDetails(false)} />}
    </div>
  )
}

/** What stands open before somebody's eyes is read, also what comes while it does. */
function useReading(conversation: Conversation | undefined): void {
  const { mutate } = useConversationChange(conversation?.id ?? '')
  const unread = conversation?.unread ?? 0
  // A message may come while another is being read, and the count stay the same: looked at again after each time.
  const [times, setTimes] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies(times): it was read then, and is unread again
  useEffect(() => {
    if (unread === 0) return
    const count = { onSuccess: () => setTimes((before) => before + 1) }
    const read = () => document.visibilityState === 'visible' && mutate({ read: true }, count)
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [unread, times, mutate])
}

function Messages({ id }: { id: string }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useMessages(id)
  const box = useRef<HTMLElement>(null)
  const messages = data?.pages.flatMap((page) => page.items) ?? []
  const oldestFirst = messages.toReversed()
  useBottom(box, messages[0]?.id)
  return (
    <section
      ref={box}
      // What scrolls has to be reachable by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled with the arrow keys
      tabIndex={0}
      aria-label="Messages"
      className="min-h-56 flex-1 overflow-y-auto bg-sunken px-4 py-4 focus-visible:-outline-offset-2 max-wide:h-[calc(100dvh-27.5rem)] max-wide:flex-none"
    >
      <div>
        {error && !data ? (
          <ErrorState title="The messages could not be loaded" error={error} onRetry={() => refetch()} />
        ) : isPending ? (
          <SkeletonRows rows={5} />
        ) : (
          <>
            {hasNextPage && (
              <div className="pb-3 text-center">
                <Button size="sm" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                  Show older messages
                </Button>
              </div>
            )}
            <ol className="space-y-2">
              {oldestFirst.map((message, at) => (
                <Entry key={message.id} id={id} message={message} before={oldestFirst[at - 1]} />
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  )
}

function Entry({ id, message, before }: { id: string; message: ChatMessage; before: ChatMessage | undefined }) {
  const isNewDay = !before || !isSameDay(new Date(before.at), new Date(message.at))
  return (
    <>
      {isNewDay && (
        <li className="py-1 text-center">
          <span className="rounded-full border bg-raised px-2.5 py-0.5 text-xs text-muted">
            {isSameDay(new Date(message.at), new Date()) ? 'Today' : formatDay(message.at)}
          </span>
        </li>
      )}
      <MessageBubble conversationId={id} message={message} />
    </>
  )
}
