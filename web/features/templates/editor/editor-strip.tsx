import { ChevronDown } from 'lucide-react'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { plural } from '#web/ui/lib/format.ts'
import { readPreheader, setPreheader } from '../design/mjml-edits.ts'
import type { Edits } from './use-template-edits.ts'

/** The ways to work on an email. */
export type EditorView = 'design' | 'code' | 'text' | 'preview'

interface StripProps {
  ref: React.Ref<HTMLDivElement>
  view: EditorView
  isMjml: boolean
  issues: number
  subject: string
  isOpen: boolean
  onView: (view: EditorView) => void
  onOpen: (open: boolean) => void
}

/** The line below the bar: the views of the email, and its subject. The tools for text cover it while text is written. */
export function EditorStrip({ ref, view, isMjml, issues, subject, isOpen, onView, onOpen }: StripProps) {
  const views: { value: EditorView; label: string }[] = [
    ...(isMjml ? [{ value: 'design' as const, label: 'Design' }] : []),
    { value: 'code', label: issues > 0 ? `Code - ${plural(issues, 'issue')}` : 'Code' },
    { value: 'text', label: 'Plain text' },
  ]
  return (
    <div ref={ref} className="relative flex h-10 shrink-0 items-center gap-3 border-b bg-surface px-2 sm:px-3">
      <div role="group" aria-label="Editor view" className="flex shrink-0 gap-0.5 rounded-control bg-sunken p-0.5">
        {views.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={view === value}
            onClick={() => onView(value)}
            className={cx(
              'h-6 rounded-[4px] px-2.5 text-sm font-medium whitespace-nowrap text-text hover:text-ink',
              'aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-sm',
              value !== 'design' && 'max-md:hidden',
            )}
          >
            {label}
          </button>
        ))}
      </div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        className="flex h-7 min-w-0 items-center gap-1.5 rounded-control px-2 text-sm text-text hover:bg-hover hover:text-ink"
      >
        <ChevronDown aria-hidden="true" className={cx('size-4 shrink-0 text-muted', isOpen && 'rotate-180')} />
        <span className="shrink-0 font-medium">Subject and preview text</span>
        <span className="truncate text-muted max-sm:hidden">{subject || 'No subject yet'}</span>
      </button>
    </div>
  )
}

interface SubjectFieldsProps {
  edits: Edits
  isMjml: boolean
  onSubject: (subject: string) => void
  /** The source with another preview text. */
  onSource: (mjml: string) => void
}

/** What a mail program shows in its list. */
export function SubjectFields({ edits, isMjml, onSubject, onSource }: SubjectFieldsProps) {
  return (
    <div className="grid shrink-0 gap-3 border-b bg-surface px-3 pt-2 pb-3 sm:grid-cols-2">
      <Field label="Subject">
        <Input
          value={edits.subject}
          maxLength={300}
          autoComplete="off"
          placeholder={'News for {{ name | default: "you" }}'}
          onChange={(event) => onSubject(event.target.value)}
        />
      </Field>
      {isMjml && (
        <Field label="Preview text">
          <Input
            defaultValue={readPreheader(edits.mjml)}
            maxLength={200}
            autoComplete="off"
            placeholder="Shown next to the subject in the inbox"
            onChange={(event) => onSource(setPreheader(edits.mjml, event.target.value))}
          />
        </Field>
      )}
    </div>
  )
}
