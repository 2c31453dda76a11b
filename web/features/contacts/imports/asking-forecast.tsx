import type { AskingPace } from '#contracts/contacts/imports.ts'
import { describeAsking } from './labels.ts'

interface AskingForecastProps {
  rows: number | null
  /** They were counted in a part of the file. */
  isEstimated: boolean
  pace: AskingPace
}

/** What an import into a double opt-in list sends, how long that takes, and what the plan leaves; before it starts. */
export function AskingForecast({ rows, isEstimated, pace }: AskingForecastProps) {
  const { text, warnings } = describeAsking(rows, pace, isEstimated)
  return (
    <div role="status" className="rounded-card border bg-page px-4 py-3 text-sm text-text">
      <p>{text}</p>
      {warnings.map((warning) => (
        <p key={warning} className="mt-1.5 font-medium text-attention-text">
          {warning}
        </p>
      ))}
    </div>
  )
}
