import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useUser } from '#web/features/accounts/index.ts'
import {
  fromLine,
  SenderDialog,
  SenderState,
  ServerWords,
  senderName,
  TestSender,
  useMailServers,
} from '#web/features/senders/index.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import type { Draft } from './draft.ts'
import { StepFrame } from './step-frame.tsx'

/** Authenticate: who the letter comes from, and the proof that it can leave. */
export function SenderStep({ draft: { answers, change } }: { draft: Draft }) {
  const { servers, ...senders } = useMailServers()
  const user = useUser()
  const [editing, setEditing] = useState<'new' | 'chosen' | null>(null)
  const chosen = servers?.find((sender) => sender.id === answers.senderId)
  return (
    <StepFrame
      title="Who does it come from?"
      hint="A sender is a mail server and the name your letter carries. A test message proves that it works."
    >
      {senders.isError && !servers && (
        <ErrorState title="The senders could not be loaded" error={senders.error} onRetry={() => senders.refetch()} />
      )}
      {senders.isPending && <SkeletonRows rows={2} />}
      {servers && (
        <RadioGroup
          legend="Sender"
          quietLegend
          cards
          value={answers.senderId ?? undefined}
          onChange={(senderId) => change({ senderId })}
          options={servers.map((sender) => ({
            value: sender.id,
            label: (
              <span className="flex flex-wrap items-center gap-2">
                {senderName(sender)} <SenderState sender={sender} />
              </span>
            ),
            hint: fromLine(sender),
          }))}
        />
      )}
      <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setEditing('new')}>
        Add a mail server
      </Button>
      {chosen && (
        <Card
          title="Prove it"
          action={
            <Button size="sm" onClick={() => setEditing('chosen')}>
              Change this sender
            </Button>
          }
        >
          {chosen.state === 'failing' && (
            <Banner tone="attention" title="The last try failed" className="mb-4">
              <ServerWords text={chosen.stateText} />
            </Banner>
          )}
          <TestSender key={chosen.id} sender={chosen} to={user.data?.email ?? ''} />
        </Card>
      )}
      {editing && (
        <SenderDialog
          sender={editing === 'chosen' ? (chosen ?? null) : null}
          onClose={() => setEditing(null)}
          onSaved={(sender) => change({ senderId: sender.id })}
        />
      )}
    </StepFrame>
  )
}
