import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Automation, whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { api } from '#web/api.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Switch } from '#web/ui/form/switch.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLink } from '#web/ui/overlay/dropdown-menu.tsx'
import { kinds, rulesInWords } from './labels.ts'
import { useChange } from './queries.ts'

/** The automations, kind by kind in the order they are tried; within a kind the order is yours. */
export function AutomationList({ accountId, automations }: { accountId: string; automations: Automation[] }) {
  const change = useChange(accountId)
  const [removing, setRemoving] = useState<Automation | null>(null)
  return (
    <>
      <ol className="divide-y rounded-card border bg-surface">
        {kinds.map(({ kind, label, does, none }) => {
          const own = automations.filter((one) => one.kind === kind)
          return (
            <li key={kind} className="px-4 py-4 sm:px-5">
              <h2 className="text-base font-semibold">{label}</h2>
              <p className="text-sm text-muted">{own.length > 0 ? does : none}</p>
              {own.length > 0 && (
                <ol aria-label={label} className="mt-2 divide-y">
                  {own.map((automation, at) => (
                    <Row
                      key={automation.id}
                      automation={automation}
                      busy={change.isPending}
                      onSwitch={(active) => change.mutate([{ id: automation.id, active }])}
                      onMove={own.length > 1 ? (by) => change.mutate(moved(own, at, by)) : undefined}
                      isFirst={at === 0}
                      isLast={at === own.length - 1}
                      onRemove={() => setRemoving(automation)}
                    />
                  ))}
                </ol>
              )}
            </li>
          )
        })}
      </ol>
      <Remove automation={removing} onClose={() => setRemoving(null)} />
    </>
  )
}

/** The places that change when one of a kind moves up or down by one. */
function moved(own: Automation[], at: number, by: 1 | -1): { id: string; place: number }[] {
  const order = [...own]
  const [one] = order.splice(at, 1)
  if (one) order.splice(at + by, 0, one)
  return order.flatMap(({ id, place }, index) => (place === index ? [] : [{ id, place: index }]))
}

interface RowProps {
  automation: Automation
  busy: boolean
  isFirst: boolean
  isLast: boolean
  onSwitch: (on: boolean) => void
  onMove: ((by: 1 | -1) => void) | undefined
  onRemove: () => void
}

function Row({ automation, busy, isFirst, isLast, onSwitch, onMove, onRemove }: RowProps) {
  const { id, kind, name, active, answered, rules } = automation
  const { when, does } = rulesInWords(kind, rules)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <Link
          to={`/whatsapp-sender/automations/${id}`}
          className="block rounded-control text-base font-medium wrap-anywhere text-ink hover:underline"
        >
          {name}
        </Link>
        {when && <p className="text-sm wrap-anywhere text-text">{when}</p>}
        <p className="text-sm text-muted">
          {does};{' '}
          {answered === 0
            ? 'no replies in 30 days'
            : `${formatNumber(answered)} ${answered === 1 ? 'reply' : 'replies'} in 30 days`}
        </p>
      </div>
      <div className="flex items-center gap-1">
        {onMove && (
          <>
            <IconButton size="sm" label={`Move ${name} up`} disabled={busy || isFirst} onClick={() => onMove(-1)}>
              <ArrowUp aria-hidden="true" className="size-4" />
            </IconButton>
            <IconButton size="sm" label={`Move ${name} down`} disabled={busy || isLast} onClick={() => onMove(1)}>
              <ArrowDown aria-hidden="true" className="size-4" />
            </IconButton>
          </>
        )}
        <Switch label={name} on={active} disabled={busy} onChange={onSwitch} />
        <Menu
          trigger={
            <IconButton size="sm" label={`More actions for ${name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuLink to={`/whatsapp-sender/automations/${id}`}>Edit</MenuLink>
          <MenuItem harm onSelect={onRemove}>
            Remove
          </MenuItem>
        </Menu>
      </div>
    </li>
  )
}

function Remove({ automation, onClose }: { automation: Automation | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!automation) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${automation.name}?`}
      action="Remove automation"
      onConfirm={async () => {
        await api(whatsappAutomations.remove, { params: { id: automation.id } })
        await queries.invalidateQueries({ queryKey: ['whatsapp', 'automations'] })
      }}
    >
      It stops replying. People in the middle of its questions are not asked anything else. Messages are not deleted.
    </ConfirmDialog>
  )
}
