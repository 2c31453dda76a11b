import { Plus } from 'lucide-react'
import { useState } from 'react'
import { channelPages } from '#web/channel-pages.ts'
import { TestDialog } from '#web/features/senders/index.ts'
import { useTestAddress } from '#web/session/queries.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { EmailDrawing } from '#web/ui/theme/drawings.tsx'
import { AccountCard } from './account-card.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { Disconnect } from './disconnect.tsx'
import { Outcome } from './outcome.tsx'
import { type Account, useAccounts, useSetup } from './queries.ts'

export const meta = () => [{ title: 'Gmail Sender · Postlark' }]

type OpenDialog = { what: 'connect' } | { what: 'change' | 'test' | 'disconnect'; account: Account }

/** The connected Gmail accounts: what they may send, whether they can, and how to connect another. */
export default function AccountsPage() {
  const { accounts, ...query } = useAccounts()
  const setup = useSetup()
  const testAddress = useTestAddress()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  const connect = (
    <Button
      kind="primary"
      icon={<Plus aria-hidden="true" className="size-4" />}
      disabled={setup.data?.available === false}
      onClick={() => setDialog({ what: 'connect' })}
    >
      Connect account
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Gmail Sender"
        description="Campaigns from your own Gmail address, within Google’s limits."
        action={
          accounts && accounts.length > 0 ? (
            <>
              <ButtonLink to={channelPages.gmail.wizard}>New campaign</ButtonLink>
              {connect}
            </>
          ) : undefined
        }
      />
      <Outcome accounts={accounts} />
      {setup.data?.available === false && (
        <Banner tone="attention" className="mb-4" title="Gmail accounts can’t be connected on this server">
          {setup.data.text}
        </Banner>
      )}
      {query.isError && !accounts && (
        <Card flush>
          <ErrorState title="The accounts could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        </Card>
      )}
      {query.isPending && <Skeleton className="h-56 rounded-card" />}
      {accounts?.length === 0 && (
        <Card flush>
          <EmptyState drawing={<EmailDrawing />} title="No Gmail account connected" action={connect}>
            You sign in with Google and choose what to allow. Your password stays with Google.
          </EmptyState>
        </Card>
      )}
      <ul className="grid gap-4 wide:grid-cols-2">
        {accounts?.map((account) => (
          <AccountCard
            key={account.id}
            account={account}
            onChange={() => setDialog({ what: 'change', account })}
            onTest={() => setDialog({ what: 'test', account })}
            onDisconnect={() => setDialog({ what: 'disconnect', account })}
          />
        ))}
      </ul>
      {dialog?.what === 'connect' && <ConnectDialog onClose={close} />}
      {dialog?.what === 'change' && <ChangeDialog account={dialog.account} onClose={close} />}
      {dialog?.what === 'test' && <TestDialog sender={dialog.account} to={testAddress} onClose={close} />}
      {dialog?.what === 'disconnect' && <Disconnect account={dialog.account} onClose={close} />}
    </>
  )
}
