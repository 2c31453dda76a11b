import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, RefreshCw } from 'lucide-react'
import { type WhatsAppNumber, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api, errorMessage } from '#web/api.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { formatAgo, formatNumber } from '#web/ui/lib/format.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { limitInWords, limitUseInWords, qualityWords, stateWords } from '../labels.ts'
import { WebhookBox } from './webhook-box.tsx'

interface NumberCardProps {
  account: WhatsAppNumber
  onRenew: () => void
  onDisconnect: () => void
}

/** One connected number: what Meta says of it, what it may do today, and how replies get here. */
export function NumberCard({ account, onRenew, onDisconnect }: NumberCardProps) {
  const queries = useQueryClient()
  const refresh = useMutation({
    mutationFn: () => api(whatsappNumbers.refresh, { params: { id: account.id } }),
    onSuccess: () => toast.success('Synced with Meta'),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['whatsapp', 'numbers'] }),
  })
  const state = stateWords[account.state]
  return (
    <li className="min-w-0 space-y-4 rounded-card border bg-surface p-5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h2 className="min-w-0 text-md font-semibold wrap-anywhere">{account.name}</h2>
            <Badge tone={state.tone} shape={state.shape}>
              {state.label}
            </Badge>
          </div>
          <p className="text-base text-muted tabular-nums">
            {account.displayPhone}
            {account.verifiedName && account.verifiedName !== account.name && ` · shown as ${account.verifiedName}`}
          </p>
        </div>
        <Menu
          trigger={
            <IconButton label={`Actions for ${account.name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={onRenew}>Edit name, token or secret</MenuItem>
          <MenuSeparator />
          <MenuItem harm onSelect={onDisconnect}>
            Disconnect number
          </MenuItem>
        </Menu>
      </div>
      {account.state !== 'working' && (
        <Banner
          tone={account.state === 'failing' ? 'attention' : 'harm'}
          action={
            account.state === 'reconnect' && (
              <Button size="sm" onClick={onRenew}>
                Enter a new token
              </Button>
            )
          }
        >
          {account.stateText || 'The last call to Meta failed.'}
        </Banner>
      )}
      <Facts account={account} />
      <WebhookBox account={account} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <span>{account.checkedAt ? `Synced ${formatAgo(account.checkedAt)}` : 'Not synced yet'}</span>
        <Button
          size="sm"
          busy={refresh.isPending}
          icon={<RefreshCw aria-hidden="true" className="size-3.5" />}
          onClick={() => refresh.mutate()}
        >
          Refresh
        </Button>
      </div>
    </li>
  )
}

function Facts({ account }: { account: WhatsAppNumber }) {
  const quality = qualityWords[account.quality]
  const facts: [string, React.ReactNode, string][] = [
    [
      'Quality',
      <Badge key="quality" tone={quality.tone} shape={quality.shape}>
        {quality.label}
      </Badge>,
      quality.means,
    ],
    [
      'Messaging limit',
      limitInWords(account),
      `${limitUseInWords(account)}, across all numbers of the business. Replies are not counted.`,
    ],
    [
      'Speed',
      `${formatNumber(account.perSecond)} a second`,
      'Sent and received combined. One person gets about one message every six seconds.',
    ],
  ]
  return (
    <dl className="grid gap-4 sm:grid-cols-3">
      {facts.map(([label, value, note]) => (
        <div key={label} className="min-w-0">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="mt-1 text-base font-semibold text-ink tabular-nums">{value}</dd>
          <dd className="mt-1 text-sm text-muted">{note}</dd>
        </div>
      ))}
    </dl>
  )
}
