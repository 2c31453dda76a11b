import { Plus } from 'lucide-react'
import { useState } from 'react'
import {
  fromLine,
  SenderDialog,
  SenderState,
  ServerWords,
  senderName,
  TestSender,
  useMailServers,
} from '#web/features/senders/index.ts'
import { useTestAddress } from '#web/session/queries.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import type { Draft } from './draft.ts'
import { StepFrame } from './step-frame.tsx'

/** Authenticate: who the email comes from, and the proof that it can leave. */
export function SenderStep({ draft: { choices, change } }: { draft: Draft }) {
  const { servers, ...senders } = useMailServers()
  const testAddress = useTestAddress()
  const [editing, setEditing] = useState<'new' | 'chosen' | null>(null)
  const chosen = servers?.find((sender) => sender.id === choices.senderId)
  return (
    <StepFrame
      title="Choose a sender"
      hint="The name, address and mail server this campaign is sent from. Send a test to check the connection."
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
          value={choices.senderId ?? undefined}
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
        Add mail server
      </Button>
      {chosen && (
        <Card
          title="Send a test"
          action={
            <Button size="sm" onClick={() => setEditing('chosen')}>
              Edit sender
            </Button>
          }
        >
          {chosen.state === 'failing' && (
            <Banner tone="attention" title="The last attempt failed" className="mb-4">
              <ServerWords text={chosen.stateText} />
            </Banner>
          )}
          <TestSender key={chosen.id} sender={chosen} to={testAddress} />
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
