import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type WhatsAppNumber, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api } from '#web/api.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ServerDrawing } from '#web/ui/theme/drawings.tsx'
import { ConnectForm } from './connect-form.tsx'
import { NumberCard } from './number-card.tsx'
import { OfficialOnly } from './official-only.tsx'
import { useNumbers } from './queries.ts'
import { RenewDialog } from './renew-dialog.tsx'
import { WhereToFind } from './where-to-find.tsx'

export const meta = () => [{ title: 'WhatsApp numbers · Postlark' }]

export default function NumbersPage() {
  const numbers = useNumbers()
  const [adding, setAdding] = useState(false)
  const [renewing, setRenewing] = useState<WhatsAppNumber | null>(null)
  const [leaving, setLeaving] = useState<WhatsAppNumber | null>(null)
  const { data } = numbers
  const connecting = data?.configured === true && (adding || data.items.length === 0)
  return (
    <>
      <PageHeader
        title="WhatsApp numbers"
        description="Your WhatsApp business numbers and their status at Meta."
        action={
          data?.configured &&
          !connecting && (
            <Button
              kind="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setAdding(true)}
            >
              Connect number
            </Button>
          )
        }
      />
      {numbers.isPending && <Skeleton className="h-72 rounded-card" />}
      {numbers.isError && !data && (
        <Card flush>
          <ErrorState title="The numbers could not be loaded" error={numbers.error} onRetry={() => numbers.refetch()} />
        </Card>
      )}
      {data && !data.configured && (
        <Card flush>
          <EmptyState drawing={<ServerDrawing />} title="WhatsApp is not set up on this server">
            Your administrator can turn it on by setting WHATSAPP_API_URL to the address of Meta’s Cloud API.
          </EmptyState>
        </Card>
      )}
      <div className="space-y-6">
        {connecting && (
          <>
            <OfficialOnly />
            <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_22rem]">
              <ConnectForm
                sandbox={data.sandbox}
                onConnected={() => setAdding(false)}
                onCancel={data.items.length > 0 ? () => setAdding(false) : undefined}
              />
              <WhereToFind />
            </div>
          </>
        )}
        <ul className="space-y-4">
          {data?.items.map((account) => (
            <NumberCard
              key={account.id}
              account={account}
              onRenew={() => setRenewing(account)}
              onDisconnect={() => setLeaving(account)}
            />
          ))}
        </ul>
      </div>
      {renewing && <RenewDialog account={renewing} onClose={() => setRenewing(null)} />}
      <Disconnect account={leaving} onClose={() => setLeaving(null)} />
    </>
  )
}

function Disconnect({ account, onClose }: { account: WhatsAppNumber | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!account) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Disconnect ${account.displayPhone}?`}
      action="Disconnect number"
      typed={account.name}
      onConfirm={async () => {
        await api(whatsappNumbers.remove, { params: { id: account.id } })
        await queries.invalidateQueries({ queryKey: ['whatsapp'] })
      }}
    >
      Its conversations are deleted from Postlark. Opt-outs and recorded consents are kept. Nothing changes at Meta: you
      keep the number and its templates.
    </ConfirmDialog>
  )
}
