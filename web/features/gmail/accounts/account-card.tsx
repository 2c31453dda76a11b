import { useMutation } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { errorMessage } from '#web/api.ts'
import { fromLine } from '#web/features/senders/index.ts'
import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { formatDay, formatMoment, formatNumber } from '#web/ui/lib/format.ts'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { AccountState } from './account-state.tsx'
import { toConsent } from './consent.ts'
import type { Account } from './queries.ts'
import { Release } from './release.tsx'

interface AccountCardProps {
  account: Account
  onChange: () => void
  onTest: () => void
  onDisconnect: () => void
}

/** One account: whether it can send and why not, what it has sent, what it may, and what can be done with it. */
export function AccountCard({ account, onChange, onTest, onDisconnect }: AccountCardProps) {
  const { gmail, limits } = account
  const reconnect = useMutation({
    mutationFn: () => toConsent({ senderId: account.id, reads: gmail.reads }),
    onError: (error) => toast.error(errorMessage(error)),
  })
  const byGoogle = gmail.access === 'oauth'
  const ended = gmail.health === 'revoked'
  const again = byGoogle ? () => reconnect.mutate() : onChange
  return (
    <li className="flex min-w-0 flex-col rounded-card border bg-surface p-5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{account.fromEmail}</h2>
        <AccountState health={gmail.health} />
        <Badge>{gmail.account === 'workspace' ? 'Google Workspace' : 'Personal account'}</Badge>
      </div>
      <p className="mt-1 text-sm wrap-anywhere text-muted">
        {account.fromName ? `Sends as ${fromLine(account)}. ` : ''}
        {byGoogle ? 'Connected with Google' : 'Connected with an app password'} on {formatDay(gmail.connectedAt)}
        {byGoogle && gmail.ownClient ? ', with your own client' : ''}.
      </p>
      <Health account={account} />
      <Today account={account} />
      <dl className="mt-4 space-y-1.5 text-sm">
        <Line name="Pace">
          {limits.perMinute === null ? 'as fast as Google allows' : `up to ${formatNumber(limits.perMinute)} a minute`},
          with random pauses
        </Line>
        <Line name="Google’s limit">{formatNumber(gmail.dailyCap)} in any 24 hours, across all apps that send</Line>
        <Line name="Replies and bounces">{seenText(account)}</Line>
      </dl>
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-5">
        {(ended || gmail.health === 'expiring') && (
          <Button size="sm" kind={ended ? 'primary' : 'secondary'} busy={reconnect.isPending} onClick={again}>
            {byGoogle ? 'Reconnect' : 'Enter a new password'}
          </Button>
        )}
        {gmail.blockedAt && <Release account={account} />}
        <Button size="sm" onClick={onTest} disabled={ended}>
          Send test
        </Button>
        <Button size="sm" onClick={onChange}>
          Edit
        </Button>
        <Menu
          trigger={
            <IconButton size="sm" label={`More actions for ${account.fromEmail}`} className="ml-auto">
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          {byGoogle && <MenuItem onSelect={() => reconnect.mutate()}>Reconnect</MenuItem>}
          <MenuItem harm onSelect={onDisconnect}>
            Disconnect account
          </MenuItem>
        </Menu>
      </div>
    </li>
  )
}

/** Whether replies and bounces are known, and should that have ended, since when not. */
function seenText({ gmail }: Account): string {
  if (!gmail.reads) return 'not detected, because this connection has no access to the mailbox'
  if (gmail.readText === '') return gmail.readAt ? `detected, last checked ${formatMoment(gmail.readAt)}` : 'detected'
  return `could not be checked. ${gmail.readText}`
}

function Health({ account: { gmail, checkedAt } }: { account: Account }) {
  if (gmail.health === 'working' || gmail.healthText === '')
    return gmail.health === 'untested' ? (
      <p className="mt-3 text-sm text-text">Nothing sent yet. Send a test to check the connection.</p>
    ) : null
  const tone = gmail.health === 'expiring' ? 'attention' : 'harm'
  return (
    <Banner
      tone={tone}
      className="mt-3"
      title={gmail.expiresAt && gmail.health === 'expiring' ? `Expires on ${formatMoment(gmail.expiresAt)}` : undefined}
    >
      {gmail.healthText}
      {checkedAt && gmail.health === 'failing' && !gmail.blockedAt && (
        <span className="text-muted"> ({formatMoment(checkedAt)})</span>
      )}
    </Banner>
  )
}

function Today({ account: { gmail, limits, rampPlan } }: { account: Account }) {
  const { sentToday, allowedToday } = gmail
  const limit = limits.perDay ?? gmail.dailyCap
  const growing = gmail.rampUp && allowedToday < limit
  return (
    <div className="mt-4">
      <p className="mb-1.5 flex items-baseline justify-between gap-3 text-base">
        <span className="text-text">Sent in the last 24 hours</span>
        <span className="shrink-0 font-medium text-ink tabular-nums">
          {formatNumber(sentToday)} of {formatNumber(allowedToday)}
        </span>
      </p>
      <ProgressBar
        label="Sent in the last 24 hours"
        total={Math.max(allowedToday, sentToday, 1)}
        parts={[{ label: 'Sent', value: sentToday, tone: sentToday >= allowedToday ? 'attention' : 'accent' }]}
      />
      {growing && (
        <p className="mt-1.5 text-sm text-muted">
          Warm-up is on: from {formatNumber(allowedToday)} now, increasing 50% a day, up to {formatNumber(limit)}.
        </p>
      )}
      {growing && rampPlan?.held && (
        <p className="mt-1.5 text-sm text-attention-text">
          {rampPlan.held.text} The limit rises again after a day without such trouble.
        </p>
      )}
      {sentToday >= allowedToday && (
        <p className="mt-1.5 text-sm text-text">
          The limit is used up. Campaigns continue automatically as the 24-hour period moves on.
        </p>
      )}
    </div>
  )
}

const Line = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="flex flex-col gap-x-3 sm:flex-row">
    <dt className="w-36 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 text-text">{children}</dd>
  </div>
)
