import type { Template } from '#contracts/templates/templates.ts'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useStarters } from '../queries.ts'
import { useMakeTemplate } from './make-template.ts'
import { StarterThumbnail } from './thumbnail.tsx'

/** The ways to begin a template: a file, a starter, an empty page. */
export function NewTemplate({ onMade }: { onMade: (template: Template) => void }) {
  const starters = useStarters()
  const make = useMakeTemplate(onMade)
  return (
    <div className="space-y-5" aria-busy={make.isPending || undefined}>
      {make.isError && <FormBanner error={`${errorMessage(make.error)} The template was not created.`} />}
      <section aria-label="Starter templates">
        <h3 className="mb-2 text-sm font-medium text-ink">Start from a template</h3>
        <ul className="grid gap-3 sm:grid-cols-3">
          {starters.isPending && [0, 1, 2].map((key) => <Skeleton key={key} className="h-44" />)}
          {starters.data?.items.map((starter) => (
            <li key={starter.id}>
              <button
                type="button"
                disabled={make.isPending}
                onClick={() => make.mutate({ kind: 'starter', id: starter.id, name: starter.name })}
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
      <FileDrop
        label="Upload an .html, .mjml or .zip file"
        hint="Up to 1 MB, or 20 MB for a .zip with images"
        accept=".html,.htm,.mjml,.zip,text/html,application/zip"
        disabled={make.isPending}
        onFile={(file) => make.mutate({ kind: 'file', file })}
      />
      <Button
        busy={make.isPending && make.variables.kind === 'blank'}
        disabled={make.isPending}
        onClick={() => make.mutate({ kind: 'blank' })}
      >
        Start from scratch
      </Button>
    </div>
  )
}

/** The same in a window. */
export function NewTemplateDialog({ onClose, onMade }: { onClose: () => void; onMade: (template: Template) => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New template" size="lg">
      <div className="pb-4">
        <NewTemplate onMade={onMade} />
      </div>
    </Dialog>
  )
}
