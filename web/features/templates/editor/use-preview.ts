import { useMemo, useRef } from 'react'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { useDraftPreview } from '../queries.ts'
import type { PreviewReader } from './contact-picker.tsx'
import type { Edits } from './use-template-edits.ts'

type Rendered = NonNullable<ReturnType<typeof useDraftPreview>['data']>

/** Why the email cannot be shown: its source has an error in it. */
function brokenBy(rendered: Rendered | undefined): Error | undefined {
  const problem = rendered?.html === '' ? rendered.problems.find(({ severity }) => severity === 'error') : undefined
  return (
    problem &&
    new Error(
      `The preview is not available: ${problem.message}${problem.line === null ? '' : ` (line ${problem.line})`}.`,
    )
  )
}

/** What is being written as its reader gets it. After an error in the source, the last rendering without one stays. */
export function usePreview({ subject, html, mjml, text }: Edits, reader: PreviewReader) {
  const isMjml = mjml !== ''
  const written = useMemo(
    () => ({ subject, text, html: isMjml ? '' : html, mjml: isMjml ? mjml : '' }),
    [subject, text, html, mjml, isMjml],
  )
  const { data, error, isPlaceholderData } = useDraftPreview({ ...useDebounced(written, 400), ...reader })
  const last = useRef(data)
  if (data && data.html !== '') last.current = data
  return {
    rendered: last.current ?? data,
    problems: data?.problems,
    error: error ?? brokenBy(data),
    stale: isPlaceholderData,
  }
}
