import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Coupon, coupons } from '#contracts/coupons.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { LetterDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatDay, formatNumber } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { CouponForm } from './coupon-form.tsx'
import { useCoupons } from './queries.ts'
import { money, titleOf } from './words.ts'

export const meta = () => [{ title: 'Coupons · Admin · Postlark' }]

/** "20 % for 3 months". */
function discountOf({ percentOff, amountOff, duration, months }: Coupon): string {
  const off = percentOff === null ? money(amountOff ?? 0) : `${percentOff} %`
  return duration === 'once'
    ? `${off} once`
    : duration === 'forever'
      ? `${off} for ever`
      : `${off} for ${months} months`
}

function timeOf({ startsAt, endsAt }: Coupon): string {
  if (startsAt && endsAt) return `${formatDay(startsAt)} to ${formatDay(endsAt)}`
  if (startsAt) return `from ${formatDay(startsAt)}`
  return endsAt ? `until ${formatDay(endsAt)}` : 'always'
}

function CouponState({ coupon }: { coupon: Coupon }) {
  const isOver = coupon.endsAt !== null && Date.parse(coupon.endsAt) <= Date.now()
  const isUsedUp = coupon.maxUses !== null && coupon.used >= coupon.maxUses
  if (!coupon.active) return <Badge shape="minus">deactivated</Badge>
  if (isOver || isUsedUp) return <Badge shape="minus">{isOver ? 'over' : 'used up'}</Badge>
  return (
    <Badge tone="good" shape="check">
      active
    </Badge>
  )
}

const columnsWith = (end: (coupon: Coupon) => void): Column<Coupon>[] => [
  { id: 'code', header: 'Code', cell: (coupon) => <span className="font-medium text-ink">{coupon.code}</span> },
  { id: 'discount', header: 'Discount', cell: discountOf },
  {
    id: 'plans',
    header: 'Plans',
    cell: ({ plans }) => (plans.length === 0 ? 'all' : plans.map(titleOf).join(', ')),
  },
  { id: 'time', header: 'Time', cell: timeOf },
  { id: 'state', header: 'State', cell: (coupon) => <CouponState coupon={coupon} /> },
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

/** Coupons: a form to make one, and all there are with their use. The name of the address is SPEC.md's. */
export default function CouponsPage() {
  const query = useCoupons()
  const queries = useQueryClient()
  const [ending, setEnding] = useState<Coupon>()
  return (
    <>
      <PageHeader title="Coupons" description="Discounts on a first subscription, and how often each was used." />
      <div className="space-y-5">
        <CouponForm />
        <Card title="All coupons" flush>
          {query.isError && !query.data ? (
            <ErrorState title="The coupons could not be loaded" error={query.error} onRetry={() => query.refetch()} />
          ) : (
            <DataTable
              label="Coupons"
              columns={columnsWith(setEnding)}
              rows={query.data?.items}
              rowKey={(coupon) => coupon.id}
              empty={
                <EmptyState drawing={<LetterDrawing />} title="No coupons yet">
                  Make the first one above. People type its code on their plan's page.
                </EmptyState>
              }
            />
          )}
        </Card>
      </div>
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
        Nobody can use it any more, and its code is not given out again. Who paid with it keeps the discount.
      </ConfirmDialog>
    </>
  )
}
