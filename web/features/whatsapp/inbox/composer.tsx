import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LayoutTemplate, StickyNote } from 'lucide-react'
import { useState } from 'react'
import { type Conversation, type Reply, whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { TemplateDialog } from '../templates/template-dialog.tsx'
import { useUserId } from './unsent.ts'
import { isOpen, useNow } from './window-left.tsx'
import { Writing } from './writing.tsx'

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
  const userId = useUserId()
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
      {writing && mode === 'reply' && (conversation.optedOut || conversation.suppressed) && (
        <p className="mb-2 text-sm text-harm-text">
          {conversation.optedOut
            ? 'This person opted out. You can answer their questions. Promotions are blocked until they write START.'
            : 'This number is on your suppression list. You can answer their questions. Promotions are blocked until you remove it there.'}
        </p>
      )}
      {writing ? (
        <Writing
          // Another user, who signed in in another tab, must not see what this one typed.
          key={userId}
          userId={userId}
          conversation={conversation}
          note={mode === 'note'}
          onSend={(message) => reply.mutateAsync(message)}
        />
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
          ? 'This person opted out, and their last message is more than 24 hours old. You can’t send anything until they write again.'
          : conversation.suppressed
            ? 'This number is on your suppression list, and their last message is not of the last 24 hours. You can’t send anything until they write again or you remove it there.'
            : conversation.lastInAt === null
              ? 'This person has not written yet, so WhatsApp only accepts an approved template.'
              : 'This person’s last message is more than 24 hours old, so WhatsApp only accepts an approved template.'}
      </p>
      {!conversation.optedOut && !conversation.suppressed && (
        <Button kind="primary" onClick={onTemplate}>
          Choose a template
        </Button>
      )}
    </div>
  )
}
