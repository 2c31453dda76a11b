import { type Draft, StepFrame } from '#web/features/campaigns/index.ts'
import { type Account, AccountState, GMAIL_ACCOUNTS, useAccounts } from '#web/features/gmail/index.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'

/** Authenticate: the accounts a campaign goes through, one or several. */
export function AccountsStep({ draft: { choices, change } }: { draft: Draft }) {
  const { accounts, ...query } = useAccounts()
  const chosen = accounts?.filter(({ id }) => choices.senderIds.includes(id)) ?? []
  const toggle = (id: string, on: boolean) =>
    change({ senderIds: on ? [...choices.senderIds, id] : choices.senderIds.filter((one) => one !== id) })
  return (
    <StepFrame
      title="Choose Gmail accounts"
      hint="If you select several, sending rotates between them. Each person gets the email once, and each account keeps its own limits."
    >
      {query.isError && !accounts && (
        <ErrorState title="The accounts could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <SkeletonRows rows={2} />}
      {accounts?.length === 0 && (
        <Card flush>
          <EmptyState
            drawing={<PeopleDrawing />}
            title="No Gmail account connected"
            action={
              <ButtonLink kind="primary" to={GMAIL_ACCOUNTS}>
                Connect an account
              </ButtonLink>
            }
          >
            Gmail campaigns are sent from your own address. Your draft is saved.
          </EmptyState>
        </Card>
      )}
      {accounts && accounts.length > 0 && (
        <fieldset className="divide-y rounded-card border bg-surface">
          <legend className="sr-only">Gmail accounts</legend>
          {accounts.map((account) => (
            <Checkbox
              key={account.id}
              className="px-4 py-3"
              label={
                <span className="flex flex-wrap items-center gap-2 wrap-anywhere">
                  {account.fromEmail} <AccountState health={account.gmail.health} />
                </span>
              }
              hint={buildHint(account)}
              checked={choices.senderIds.includes(account.id)}
              onChange={(event) => toggle(account.id, event.target.checked)}
            />
          ))}
        </fieldset>
      )}
      {chosen.length > 0 && <Allowance chosen={chosen} />}
      {chosen.some(({ gmail }) => gmail.health === 'revoked') && (
        <Banner
          tone="attention"
          action={
            <ButtonLink size="sm" to={GMAIL_ACCOUNTS}>
              Reconnect
            </ButtonLink>
          }
        >
          A selected account has lost its permission to send. Reconnect it or remove it from this campaign.
        </Banner>
      )}
    </StepFrame>
  )
}

function buildHint({ gmail }: Account): string {
  if (gmail.health === 'revoked') return 'Can’t send until you reconnect it.'
  const left = Math.max(0, gmail.allowedToday - gmail.sentToday)
  const reading = gmail.reads ? 'detects replies and bounces' : 'can’t detect replies and bounces'
  return `${formatNumber(left)} of ${formatNumber(gmail.allowedToday)} left in this 24-hour period; ${reading}.`
}

function Allowance({ chosen }: { chosen: Account[] }) {
  const able = chosen.filter(({ gmail }) => gmail.health !== 'revoked')
  const left = able.reduce((sum, { gmail }) => sum + Math.max(0, gmail.allowedToday - gmail.sentToday), 0)
  return (
    <p className="text-base text-text">
      Together they can send <strong className="text-ink tabular-nums">{plural(left, 'more email')}</strong> in this
      24-hour period. The rest is sent automatically on the following days.
    </p>
  )
}
