import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { NewTemplate, TemplateThumbnail, useTemplates } from '#web/features/templates/index.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import type { Draft } from './draft.ts'
import { StepFrame } from './step-frame.tsx'

/** Upload template: the email itself, chosen or made right here. */
export function TemplateStep({ draft: { choices, change } }: { draft: Draft }) {
  const templates = useTemplates()
  const [making, setMaking] = useState(false)
  const none = templates.data?.items.length === 0
  const choose = (template: { id: string; subject: string }) =>
    // The template's subject is a beginning; one that was written here stays.
    change({
      templateId: template.id,
      ...(choices.subject.trim() === '' && template.subject && { subject: template.subject }),
    })
  return (
    <StepFrame title="Choose a template" hint="Pick a template or upload your own. You can edit it until you send.">
      {templates.isError && !templates.data && (
        <ErrorState
          title="The templates could not be loaded"
          error={templates.error}
          onRetry={() => templates.refetch()}
        />
      )}
      {templates.isPending && <Skeleton className="h-48" />}
      {!none && (
        <fieldset>
          <legend className="sr-only">Template</legend>
          <ul className="grid gap-3 sm:grid-cols-2 wide:grid-cols-3">
            {templates.data?.items.map((template) => (
              <li key={template.id} className="min-w-0">
                <label className="block rounded-card border bg-surface transition-colors hover:border-control has-checked:border-accent-text has-checked:ring-1 has-checked:ring-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text">
                  <TemplateThumbnail id={template.id} version={template.updatedAt} />
                  <span className="flex gap-2.5 px-3 py-2.5">
                    <input
                      type="radio"
                      name="template"
                      className="mt-1 size-4 shrink-0 accent-(--color-accent)"
                      checked={template.id === choices.templateId}
                      onChange={() => choose(template)}
                    />
                    <span className="min-w-0">
                      <span className="block truncate text-base font-medium text-ink">{template.name}</span>
                      <span className="block truncate text-sm text-muted">{template.subject || 'No subject yet'}</span>
                    </span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <div className="flex flex-wrap gap-2">
        {!none && !making && (
          <Button size="sm" onClick={() => setMaking(true)}>
            Choose a different template
          </Button>
        )}
        {choices.templateId && (
          <a
            href={`/editor/${choices.templateId}`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex h-7 items-center gap-1.5 rounded-control px-2.5 text-sm font-medium text-accent-text hover:underline"
          >
            Edit template <ExternalLink aria-hidden="true" className="size-3.5" />
          </a>
        )}
      </div>
      {(none || making) && (
        <NewTemplate
          onMade={(template) => {
            setMaking(false)
            choose(template)
          }}
        />
      )}
    </StepFrame>
  )
}
