import type { WhatsAppAccount } from '#contracts/whatsapp.ts'
import { StepFrame, type StepProps } from '#web/features/campaigns/index.ts'
import { Field } from '#web/ui/field.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { Input } from '#web/ui/input.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { useNumbers } from '../queries.ts'
import { contentOf } from './use-content.ts'

/** What the number can do today, in words; what Meta did not say is unknown. */
function standing({ state, stateText, dailyLimit, usedToday, verifiedName }: WhatsAppAccount): string {
  if (state !== 'working') return stateText || 'The last call failed.'
  const limit =
    dailyLimit === null
      ? 'how many people a day is unknown or without a limit'
      : `${formatNumber(usedToday)} of ${formatNumber(dailyLimit)} people written to first in the last 24 hours`
  return `${verifiedName}: ${limit}`
}

/** Through which number it goes, and what the campaign is called. */
export function NumberStep({ draft }: StepProps) {
  const { answers, change } = draft
  const content = contentOf(draft)
  const numbers = useNumbers().data?.items ?? []
  return (
    <StepFrame
      title="Which number writes?"
      hint="People see its name. Answers come to it, and you find them in the inbox."
    >
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
          label="Name of the campaign"
          hint="Only you see it."
          error={answers.name.trim() === '' ? 'A campaign needs a name; the last one is kept.' : undefined}
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
