import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Coupon, coupons } from '#contracts/billing/coupons.ts'
import { api } from '#web/api.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay, formatNumber } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { EmailDrawing } from '#web/ui/theme/drawings.tsx'
import { planTitle, price } from '../labels.ts'
import { useCoupons } from '../queries.ts'
import { CreateCouponPanel } from './create-coupon-panel.tsx'

export const meta = () => [{ title: 'Coupons · Admin · Postlark' }]

/** "20% for 3 months". */
function formatDiscount({ percentOff, amountOff, duration, months }: Coupon): string {
  const off = percentOff === null ? price(amountOff ?? 0) : `${percentOff}%`
  return duration === 'once' ? `${off} once` : duration === 'forever' ? `${off} forever` : `${off} for ${months} months`
}

function formatPeriod({ startsAt, endsAt }: Coupon): string {
  if (startsAt && endsAt) return `${formatDay(startsAt)} to ${formatDay(endsAt)}`
  if (startsAt) return `From ${formatDay(startsAt)}`
  return endsAt ? `Until ${formatDay(endsAt)}` : 'Always'
}

function CouponState({ coupon }: { coupon: Coupon }) {
  const isOver = coupon.endsAt !== null && Date.parse(coupon.endsAt) <= Date.now()
  const isUsedUp = coupon.maxUses !== null && coupon.used >= coupon.maxUses
  if (!coupon.active) return <Badge shape="minus">Deactivated</Badge>
  if (isOver || isUsedUp) return <Badge shape="minus">{isOver ? 'Expired' : 'Used up'}</Badge>
  return (
    <Badge tone="good" shape="check">
      Active
    </Badge>
  )
}

const columnsWith = (end: (coupon: Coupon) => void): Column<Coupon>[] => [
  { id: 'code', header: 'Code', cell: (coupon) => <span className="font-medium text-ink">{coupon.code}</span> },
  { id: 'discount', header: 'Discount', cell: formatDiscount },
  {
    id: 'plans',
    header: 'Plans',
    cell: ({ plans }) => (plans.length === 0 ? 'All' : plans.map(planTitle).join(', ')),
  },
  { id: 'time', header: 'Valid', cell: formatPeriod },
  { id: 'state', header: 'Status', cell: (coupon) => <CouponState coupon={coupon} /> },
  {
    id: 'uses',
    header: 'Used',
    number: true,
    cell: ({ used, held, maxUses }) =>
      `${formatNumber(used)}${maxUses === null ? '' : ` of ${formatNumber(maxUses)}`}${held > 0 ? `, ${held} paying now` : ''}`,
  },
  {
    id: 'end',
    header: '',
    number: true,
    cell: (coupon) =>
      coupon.active ? (
        <Button size="sm" kind="quiet" onClick={() => end(coupon)} aria-label={`Deactivate ${coupon.code}`}>
          Deactivate
        </Button>
      ) : null,
  },
]

/** Coupons with their use, and a form beside them for a new one. The spelling of its path is fixed (docs/specification.md, 2). */
export default function CouponsPage() {
  const query = useCoupons()
  const queries = useQueryClient()
  const [ending, setEnding] = useState<Coupon>()
  const [creating, setCreating] = useState(false)
  return (
    <>
      <PageHeader
        title="Coupons"
        description="Discounts on a first subscription, and how often each was used."
        action={
          <Button
            kind="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setCreating(true)}
          >
            Create coupon
          </Button>
        }
      />
      <Card flush>
        {query.isError && !query.data ? (
          <ErrorState title="The coupons could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        ) : (
          <DataTable
            label="Coupons"
            columns={columnsWith(setEnding)}
            rows={query.data?.items}
            rowKey={(coupon) => coupon.id}
            empty={
              <EmptyState drawing={<EmailDrawing />} title="No coupons yet">
                Create your first coupon. Customers enter its code on their plan page.
              </EmptyState>
            }
          />
        )}
      </Card>
      {creating && <CreateCouponPanel onClose={() => setCreating(false)} />}
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={(open) => !open && setEnding(undefined)}
        title={`Deactivate ${ending?.code ?? ''}?`}
        action="Deactivate coupon"
        onConfirm={async () => {
          if (ending) await api(coupons.remove, { params: { id: ending.id } })
          await queries.invalidateQueries({ queryKey: ['admin', 'coupons'] })
        }}
      >
        No one can use this code anymore, and it can’t be created again. Customers who already used it keep their
        discount.
      </ConfirmDialog>
    </>
  )
}
