import { errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { describeAppliedCoupon } from '../labels.ts'
import { paidNames } from '../queries.ts'
import type { CouponChecks } from './coupon-checks.ts'

interface CouponFieldProps {
  typed: string
  onType: (code: string) => void
  /** The code that was checked last; empty for none. */
  applied: string
  onApply: (code: string) => void
  checks: CouponChecks
}

/** A coupon's code above the plans, whose prices it changes. A wrong one is told here and stops nothing. */
export function CouponField({ typed, onType, applied, onApply, checks }: CouponFieldProps) {
  const results = paidNames.flatMap((plan) => checks.byPlan[plan] ?? [])
  const valid = results.find((result) => result.valid)
  const isChecked = applied !== '' && applied === typed.trim()
  const problem = checks.error
    ? errorMessage(checks.error)
    : !valid && !checks.isPending
      ? results[0]?.message
      : undefined
  return (
    <form
      className="mb-4 max-w-md"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(typed.trim())
      }}
    >
      <Field
        label="Coupon code"
        optional
        error={isChecked ? problem : undefined}
        hint={isChecked && valid ? describeAppliedCoupon(valid, checks.byPlan) : undefined}
      >
        <span className="flex gap-2">
          <Input
            value={typed}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            onChange={(event) => {
              onType(event.target.value)
              onApply('')
            }}
          />
          <Button type="submit" busy={checks.isPending} disabled={typed.trim() === ''}>
            Apply
          </Button>
        </span>
      </Field>
    </form>
  )
}
