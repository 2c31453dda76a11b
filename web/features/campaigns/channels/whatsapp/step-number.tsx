import type { WhatsAppNumber } from '#contracts/whatsapp/numbers.ts'
import { NameField, StepFrame, type StepProps } from '#web/features/campaigns/index.ts'
import { limitInWords, limitUseInWords, useNumbers } from '#web/features/whatsapp/index.ts'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { readContent } from './use-content.ts'

/** What the number can do today, in words; what Meta did not say is unknown. */
function standing(number: WhatsAppNumber): string {
  if (number.state !== 'working') return number.stateText || 'The last call failed.'
  const limit = number.dailyLimit === null ? `Limit: ${limitInWords(number).toLowerCase()}. ` : ''
  return `Shown as ${number.verifiedName}. ${limit}${limitUseInWords(number)}.`
}

/** Through which number it goes, and what the campaign is called. */
export function NumberStep({ draft }: StepProps) {
  const content = readContent(draft)
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
            draft.change({ whatsapp: { accountId, templateId: null, variables: {} } })
          }
        />
        <NameField draft={draft} />
      </div>
    </StepFrame>
  )
}
