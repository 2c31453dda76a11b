import { type Draft, StepFrame } from '#web/features/campaigns/index.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { PeopleDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber, plural } from '#web/ui/format.ts'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { AccountState } from './account-state.tsx'
import { type Account, useAccounts } from './queries.ts'

/** Authenticate: the accounts a campaign goes through, one or several. */
export function AccountsStep({ draft: { answers, change } }: { draft: Draft }) {
  const { accounts, ...query } = useAccounts()
  const chosen = accounts?.filter(({ id }) => answers.senderIds.includes(id)) ?? []
  const toggle = (id: string, on: boolean) =>
    change({ senderIds: on ? [...answers.senderIds, id] : answers.senderIds.filter((one) => one !== id) })
  return (
    <StepFrame
      title="Which accounts does it go through?"
      hint="With several, they take turns: each person gets it once, from one of them, and each account keeps its own limits."
    >
      {query.isError && !accounts && (
        <ErrorState title="The accounts could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <SkeletonRows rows={2} />}
      {accounts?.length === 0 && (
        <Card flush>
          <EmptyState
            drawing={<PeopleDrawing />}
            title="No Gmail account is connected yet"
            action={
              <ButtonLink kind="primary" to="/gmail-sender">
                Connect an account
              </ButtonLink>
            }
          >
            A campaign leaves through your own address. What you have answered here is kept.
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
              hint={hintOf(account)}
              checked={answers.senderIds.includes(account.id)}
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
            <ButtonLink size="sm" to="/gmail-sender">
              Connect it again
            </ButtonLink>
          }
        >
          The permission of a chosen account has ended, so its share would wait. Connect it again, or leave it out.
        </Banner>
      )}
    </StepFrame>
  )
}

function hintOf({ gmail }: Account): string {
  if (gmail.health === 'revoked') return 'Cannot send until it is connected again.'
  const left = Math.max(0, gmail.allowedToday - gmail.sentToday)
  const reading = gmail.reads ? 'sees replies and bounces' : 'cannot know replies and bounces'
  return `${formatNumber(left)} of ${formatNumber(gmail.allowedToday)} left in these 24 hours; ${reading}.`
}

function Allowance({ chosen }: { chosen: Account[] }) {
  const able = chosen.filter(({ gmail }) => gmail.health !== 'revoked')
  const left = able.reduce((sum, { gmail }) => sum + Math.max(0, gmail.allowedToday - gmail.sentToday), 0)
  return (
    <p className="text-base text-text">
      Together they may send <strong className="text-ink tabular-nums">{plural(left, 'more letter')}</strong> in these
      24 hours. What is over that goes out on the following days by itself.
    </p>
  )
}
