import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { senders as contract, type Sender } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { useTestAddress } from '#web/session/queries.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatMoment, formatNumber } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { ServerDrawing } from '#web/ui/theme/drawings.tsx'
import { useMailServers } from './queries.ts'
import { RampDialog } from './ramp/ramp-dialog.tsx'
import { RampPlanPanel } from './ramp/ramp-plan.tsx'
import { labelReceiverLimits, ReceiverStates } from './receivers/states.tsx'
import { SenderDialog } from './sender-dialog.tsx'
import { fromLine, SenderState, senderName } from './sender-state.tsx'
import { TestDialog } from './test-dialog.tsx'

export const meta = () => [{ title: 'Senders · Postlark' }]

export default function SendersPage() {
  const { servers, ...senders } = useMailServers()
  const testAddress = useTestAddress()
  const [editing, setEditing] = useState<Sender | 'new' | null>(null)
  const [testing, setTesting] = useState<Sender | null>(null)
  const [ramping, setRamping] = useState<Sender | null>(null)
  const [removing, setRemoving] = useState<Sender | null>(null)
  const add = (
    <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setEditing('new')}>
      Add sender
    </Button>
  )
  return (
    <>
      <PageHeader title="Senders" description="The mail servers and names your campaigns are sent from." action={add} />
      {senders.isError && !servers && (
        <Card flush>
          <ErrorState title="The senders could not be loaded" error={senders.error} onRetry={() => senders.refetch()} />
        </Card>
      )}
      {servers?.length === 0 && (
        <Card flush>
          <EmptyState drawing={<ServerDrawing />} title="No senders yet" action={add}>
            Add your mail server. The connection is tested when you save.
          </EmptyState>
        </Card>
      )}
      <ul className="grid gap-4 wide:grid-cols-2">
        {senders.isPending && [0, 1].map((key) => <Skeleton key={key} className="h-48 rounded-card" />)}
        {servers?.map((sender) => (
          <SenderCard
            key={sender.id}
            sender={sender}
            onEdit={() => setEditing(sender)}
            onTest={() => setTesting(sender)}
            onRemove={() => setRemoving(sender)}
            onRamp={() => setRamping(sender)}
          />
        ))}
      </ul>
      {editing && <SenderDialog sender={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {testing && <TestDialog sender={testing} to={testAddress} onClose={() => setTesting(null)} />}
      {ramping && <RampDialog sender={ramping} onClose={() => setRamping(null)} />}
      <RemoveSender sender={removing} onClose={() => setRemoving(null)} />
    </>
  )
}

interface SenderCardProps {
  sender: Sender
  onEdit: () => void
  onTest: () => void
  onRemove: () => void
  onRamp: () => void
}

function SenderCard({ sender, onEdit, onTest, onRemove, onRamp }: SenderCardProps) {
  const { limits } = sender
  return (
    <li className="flex min-w-0 flex-col rounded-card border bg-surface p-5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 truncate text-base font-semibold">{senderName(sender)}</h2>
        <SenderState sender={sender} />
        {sender.isDefault && <Badge>Default</Badge>}
      </div>
      <p className="mt-1 text-base wrap-anywhere text-text">{fromLine(sender)}</p>
      <p className="text-sm wrap-anywhere text-muted">
        {sender.host
          ? `${sender.host}:${sender.port}, ${securityWords[sender.secure ?? 'none']}`
          : 'This server’s mail server'}
      </p>
      {!sender.fromConfirmed && <UnconfirmedFrom sender={sender} />}
      {sender.stateText && (
        <p className={`mt-3 text-sm wrap-anywhere ${sender.state === 'failing' ? 'text-harm-text' : 'text-text'}`}>
          {sender.stateText}
          {sender.checkedAt && <span className="text-muted"> ({formatMoment(sender.checkedAt)})</span>}
        </p>
      )}
      <ReceiverStates sender={sender} />
      <p className="mt-3 text-sm text-muted">
        {limits.connections === 1 ? '1 connection' : `${limits.connections} connections`},{' '}
        {limits.perSecond === null ? 'no limit per second' : `up to ${formatNumber(limits.perSecond)} a second`},{' '}
        {limits.perDay === null ? 'no limit per day' : `up to ${formatNumber(limits.perDay)} in 24 hours`}
        {sender.receiverLimits.length > 0 && (
          <span className="block">{labelReceiverLimits(sender.receiverLimits)}</span>
        )}
      </p>
      {sender.rampPlan && <RampPlanPanel sender={sender} plan={sender.rampPlan} />}
      <div className="mt-auto flex items-center gap-2 pt-4">
        <Button size="sm" onClick={onTest}>
          Send test email
        </Button>
        <Button size="sm" onClick={onEdit}>
          Edit
        </Button>
        {(!sender.isDefault || !sender.rampPlan) && (
          <Menu
            trigger={
              <IconButton size="sm" label={`More actions for ${senderName(sender)}`} className="ml-auto">
                <MoreHorizontal aria-hidden="true" className="size-4" />
              </IconButton>
            }
          >
            {!sender.rampPlan && <MenuItem onSelect={onRamp}>Start warm-up</MenuItem>}
            {!sender.isDefault && (
              <MenuItem harm onSelect={onRemove}>
                Remove sender
              </MenuItem>
            )}
          </Menu>
        )}
      </div>
    </li>
  )
}

/** Says why nothing leaves yet, and sends the link once more. */
function UnconfirmedFrom({ sender }: { sender: Sender }) {
  const again = useMutation({
    mutationFn: () => api(contract.confirmation, { params: { id: sender.id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
  })
  return (
    <div className="mt-3">
      <Banner
        tone="attention"
        title="Confirm this address"
        action={
          <Button size="sm" busy={again.isPending} onClick={() => again.mutate()}>
            Resend email
          </Button>
        }
      >
        Open the link in the email we sent to {sender.fromEmail}. Campaigns from this sender can’t start until you do.
      </Banner>
    </div>
  )
}

const securityWords = { tls: 'TLS', starttls: 'STARTTLS', none: 'Not encrypted' }

function RemoveSender({ sender, onClose }: { sender: Sender | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!sender) return null
  const name = senderName(sender)
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove the sender ${name}?`}
      action="Remove sender"
      typed={name}
      onConfirm={async () => {
        await api(contract.remove, { params: { id: sender.id } })
        await queries.invalidateQueries({ queryKey: ['senders'] })
      }}
    >
      Its password is deleted. Drafts that use it need another sender. Sent emails stay in your reports.
    </ConfirmDialog>
  )
}
