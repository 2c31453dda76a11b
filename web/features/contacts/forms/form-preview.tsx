import { CalendarDays, ChevronDown } from 'lucide-react'
import type { FieldType } from '#contracts/contacts/fields.ts'
import { cx } from '#web/ui/lib/class-names.ts'
import { useFindField } from '../queries.ts'
import type { FormDraft } from './draft.ts'

/** The page of a form as it is edited. It is only shown: nothing in it can be focused or sent. */
export function FormPreview({ draft }: { draft: FormDraft }) {
  const findField = useFindField()
  const findType = (name: string) => findField(name.replace(/^attributes\./, ''))?.type
  return (
    <section aria-label="Preview" className="rounded-card border bg-page p-4 sm:p-6">
      <div inert className="mx-auto max-w-md rounded-dialog border bg-surface px-6 py-7 wrap-anywhere">
        <p className="text-2xl font-semibold tracking-tight text-balance text-ink">
          {draft.heading || draft.name || 'Sign up'}
        </p>
        {draft.description && <p className="mt-2 text-base whitespace-pre-line text-text">{draft.description}</p>}
        <div className="mt-5 space-y-4">
          {draft.fields.map((field) => (
            <Box key={field.key} label={field.label} required={field.required} type={findType(field.name)} />
          ))}
          <Box label="Email address" required />
        </div>
        {draft.consentWording && <p className="mt-3 text-sm whitespace-pre-line text-muted">{draft.consentWording}</p>}
        <p className="mt-4 rounded-control bg-accent px-4 py-2.5 text-center text-base font-semibold text-on-accent">
          {draft.button || 'Subscribe'}
        </p>
        {draft.proofOfWork && <p className="mt-3 text-center text-sm text-muted">Security check passed</p>}
      </div>
    </section>
  )
}

interface BoxProps {
  label: string
  required: boolean
  /** Of a custom field: it is asked by its type. */
  type?: FieldType | undefined
}

const Box = ({ label, required, type }: BoxProps) => (
  <div>
    <p className="text-sm font-medium text-ink">
      {label} <span className={cx('font-normal text-muted', required && 'hidden')}>(optional)</span>
    </p>
    <div className="mt-1.5 flex h-10 items-center justify-between rounded-control border border-control bg-surface px-3 text-base text-muted">
      {(type === 'choice' || type === 'boolean') && (
        <>
          Choose <ChevronDown aria-hidden="true" className="size-4" />
        </>
      )}
      {type === 'date' && <CalendarDays aria-hidden="true" className="ml-auto size-4" />}
    </div>
  </div>
)
