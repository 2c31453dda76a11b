import type { WhatsAppNumber } from '#contracts/whatsapp/numbers.ts'
import { StepFrame, type StepProps } from '#web/features/campaigns/index.ts'
import { useNumbers } from '#web/features/whatsapp/index.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { contentOf } from './use-content.ts'

/** What the number can do today, in words; what Meta did not say is unknown. */
function standing({ state, stateText, dailyLimit, usedToday, verifiedName }: WhatsAppNumber): string {
  if (state !== 'working') return stateText || 'The last call failed.'
  const limit =
    dailyLimit === null
      ? 'daily limit unknown or unlimited'
      : `${formatNumber(usedToday)} of ${formatNumber(dailyLimit)} new conversations started in the last 24 hours`
  return `${verifiedName}: ${limit}`
}

/** Through which number it goes, and what the campaign is called. */
export function NumberStep({ draft }: StepProps) {
  const { answers, change } = draft
  const content = contentOf(draft)
  const numbers = useNumbers().data?.items ?? []
  return (
    <StepFrame title="Choose a WhatsApp number" hint="Recipients see its name. Replies arrive in your inbox.">
      <div className="max-w-xl space-y-5">
        <RadioGroup
          legend="Number"
          quietLegend
          cards
          options={numbers.map((number) => ({
            value: number.id,
            label: `${number.name} · ${number.displayPhone}`,
            hint: standing(number),
          }))}
          value={content.accountId ?? undefined}
          onChange={(accountId) =>
            // Templates belong to a number's business account.
            change({ whatsapp: { accountId, templateId: null, variables: {} } })
          }
        />
        <Field
          label="Campaign name"
          hint="Only visible to you."
          error={answers.name.trim() === '' ? 'Enter a campaign name. Until then, the last name is kept.' : undefined}
        >
          <Input
            value={answers.name}
            maxLength={120}
            autoComplete="off"
            onChange={(event) => change({ name: event.target.value }, true)}
          />
        </Field>
      </div>
    </StepFrame>
  )
}
