import { FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { StarterGroup, type Template } from '#contracts/templates/templates.ts'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { useStarters } from '../queries.ts'
import { useMakeTemplate } from './make-template.ts'
import { StarterThumbnail } from './thumbnail.tsx'

const GROUPS: Record<StarterGroup, string> = {
  newsletter: 'Newsletter',
  promotion: 'Promotion',
  plain: 'Plain',
  transactional: 'Transactional',
}

interface NewTemplateProps {
  onMade: (template: Template) => void
  /** Between the ways to start anew and the starters: the templates that are there. */
  children?: React.ReactNode
}

/** The ways to start a template: an empty page, a file, a starter. */
export function NewTemplate({ onMade, children }: NewTemplateProps) {
  const make = useMakeTemplate(onMade)
  return (
    <div className="space-y-6" aria-busy={make.isPending || undefined}>
      {make.isError && <FormBanner error={`${errorMessage(make.error)} The template was not created.`} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <button
          type="button"
          disabled={make.isPending}
          onClick={() => make.mutate({ kind: 'blank' })}
          className="flex flex-col items-center justify-center rounded-card border bg-surface px-6 py-6 text-center transition-colors hover:border-control disabled:opacity-60"
        >
          <FilePlus2 aria-hidden="true" className="mb-2 size-6 text-muted" />
          <span className="text-base font-medium text-ink">Start from scratch</span>
          <span className="mt-0.5 text-sm text-muted">A blank email</span>
        </button>
        <FileDrop
          label="Upload an .html, .mjml or .zip file"
          hint="Up to 1 MB, or 20 MB for a .zip with images"
          accept=".html,.htm,.mjml,.zip,text/html,application/zip"
          disabled={make.isPending}
          onFile={(file) => make.mutate({ kind: 'file', file })}
        />
      </div>
      {children}
      <Starters disabled={make.isPending} onChoose={({ id, name }) => make.mutate({ kind: 'starter', id, name })} />
    </div>
  )
}

interface StartersProps {
  disabled: boolean
  onChoose: (starter: { id: string; name: string }) => void
}

function Starters({ disabled, onChoose }: StartersProps) {
  const starters = useStarters()
  const [group, setGroup] = useState<StarterGroup | ''>('')
  const shown = starters.data?.items.filter((starter) => group === '' || starter.group === group)
  return (
    <section aria-label="Starter templates">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-md font-semibold text-ink">Start from a template</h2>
        <fieldset aria-label="Kind of starter template" className="flex min-w-0 flex-wrap gap-1.5">
          {(['', ...StarterGroup.options] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === group}
              onClick={() => setGroup(one)}
              className={cx(
                'inline-flex h-7 items-center rounded-full border px-3 text-sm font-medium text-text transition-colors hover:border-control',
                'aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text',
              )}
            >
              {one === '' ? 'All' : GROUPS[one]}
            </button>
          ))}
        </fieldset>
      </div>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 wide:grid-cols-4">
        {starters.isPending && [0, 1, 2].map((key) => <Skeleton key={key} className="h-44" />)}
        {shown?.map((starter) => (
          <li key={starter.id}>
            <button
              type="button"
              disabled={disabled}
              onClick={() => onChoose(starter)}
              className="block h-full w-full rounded-card border bg-surface text-left transition-colors hover:border-control"
            >
              <StarterThumbnail id={starter.id} />
              <span className="block px-3 pt-2 text-base font-medium text-ink">{starter.name}</span>
              <span className="block px-3 pb-3 text-sm text-muted">{starter.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {starters.isError && (
        <p className="text-base text-muted">
          The starter templates could not be loaded. You can still upload a file or start from scratch.
        </p>
      )}
    </section>
  )
}
