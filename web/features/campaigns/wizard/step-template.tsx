import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { Template } from '#contracts/templates/templates.ts'
import { NewTemplate, TemplateThumbnail } from '#web/features/templates/index.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { useTemplates } from '#web/use-templates.ts'
import type { Draft } from './draft.ts'
import { editorLink } from './fixes.ts'
import { StepFrame } from './step-frame.tsx'

type ListedTemplate = Pick<Template, 'id' | 'name' | 'updatedAt'>

/** How many of the workspace's own templates are shown before all are asked for. */
const RECENT = 6

/** Upload template: the email itself, chosen or made right here. */
export function TemplateStep({ draft: { choices, change } }: { draft: Draft }) {
  const { pathname, search } = useLocation()
  return (
    <StepFrame title="Choose a template" hint="Pick a template or upload your own. You can edit it until you send.">
      <TemplateChoice
        chosenId={choices.templateId}
        back={`${pathname}${withStep(search)}`}
        onChoose={({ id }) => change({ templateId: id })}
      />
    </StepFrame>
  )
}

interface TemplateChoiceProps {
  chosenId: string | null
  /** Where the editor of the chosen one returns to; undefined: it is not offered here. */
  back?: string
  onChoose: (template: Pick<Template, 'id'>) => void
}

/** The workspace's templates to choose one of, and the ways to make another. */
export function TemplateChoice({ chosenId, back, onChoose }: TemplateChoiceProps) {
  const templates = useTemplates()
  const all = templates.data?.items ?? []
  return (
    <>
      {templates.isError && !templates.data && (
        <ErrorState
          title="The templates could not be loaded"
          error={templates.error}
          onRetry={() => templates.refetch()}
        />
      )}
      {templates.isPending && <Skeleton className="h-48" />}
      {templates.data && (
        <NewTemplate onMade={onChoose}>
          {all.length > 0 && <RecentTemplates templates={all} chosenId={chosenId} back={back} onChoose={onChoose} />}
        </NewTemplate>
      )}
    </>
  )
}

interface RecentTemplatesProps {
  templates: ListedTemplate[]
  chosenId: string | null
  back: string | undefined
  onChoose: (template: ListedTemplate) => void
}

/** The workspace's own templates, the chosen one first and then the latest. */
function RecentTemplates({ templates, chosenId, back, onChoose }: RecentTemplatesProps) {
  const [isWhole, setWhole] = useState(false)
  // The order stays while one chooses: a card that is pressed must not move.
  const [first] = useState(chosenId)
  const sorted = templates.toSorted(
    (a, b) => Number(b.id === first) - Number(a.id === first) || b.updatedAt.localeCompare(a.updatedAt),
  )
  const shown = isWhole ? sorted : sorted.slice(0, RECENT)
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-ink">Recent</legend>
      <ul className="grid grid-cols-2 gap-3 wide:grid-cols-3">
        {shown.map((template) => (
          <li key={template.id} className="min-w-0">
            <TemplateCard
              template={template}
              isChosen={template.id === chosenId}
              back={back}
              onChoose={() => onChoose(template)}
            />
          </li>
        ))}
      </ul>
      {sorted.length > shown.length && (
        <Button kind="quiet" size="sm" className="mt-2" onClick={() => setWhole(true)}>
          Show all {sorted.length} templates
        </Button>
      )}
    </fieldset>
  )
}

interface TemplateCardProps {
  template: ListedTemplate
  isChosen: boolean
  back: string | undefined
  onChoose: () => void
}

function TemplateCard({ template, isChosen, back, onChoose }: TemplateCardProps) {
  return (
    <div className="rounded-card border bg-surface transition-colors hover:border-control has-checked:border-accent-text has-checked:ring-1 has-checked:ring-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text">
      <label className="block">
        <TemplateThumbnail id={template.id} version={template.updatedAt} />
        <span className="flex gap-2.5 px-3 py-2.5">
          <input
            type="radio"
            name="template"
            className="mt-1 size-4 shrink-0 accent-(--color-accent)"
            checked={isChosen}
            onChange={onChoose}
          />
          <span className="min-w-0">
            <span className="block truncate text-base font-medium text-ink">{template.name}</span>
            <span className="block truncate text-sm text-muted">
              Edited <TimeAgo at={template.updatedAt} />
            </span>
          </span>
        </span>
      </label>
      {isChosen && back !== undefined && (
        <div className="px-3 pb-3">
          <ButtonLink size="sm" to={editorLink(template.id, back)}>
            <Pencil aria-hidden="true" className="size-3.5" /> Edit template
          </ButtonLink>
        </div>
      )}
    </div>
  )
}

/** Coming back leads to this step, also where the address did not name it. */
function withStep(search: string): string {
  const query = new URLSearchParams(search)
  query.set('step', 'template')
  return `?${query}`
}
