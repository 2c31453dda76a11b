import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Palette } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { templates as contract, type Template } from '#contracts/templates/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useTemplates } from '#web/use-templates.ts'
import { useMakeTemplate } from './starters/make-template.ts'
import { NewTemplate } from './starters/new-template.tsx'
import { TemplateThumbnail } from './starters/thumbnail.tsx'

export const meta = () => [{ title: 'Templates · Postlark' }]

type TemplateSummary = Omit<Template, 'html' | 'mjml' | 'text' | 'problems'>

/** The templates of the workspace, last changed first, between the ways to create one. */
export default function TemplatesPage() {
  const templates = useTemplates()
  const navigate = useNavigate()
  const [removing, setRemoving] = useState<TemplateSummary | null>(null)
  const open = (template: { id: string }) => navigate(`/editor/${template.id}`)
  const copy = useMakeTemplate(open)
  const items = templates.data?.items.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)) ?? []
  return (
    <>
      <PageHeader
        title="Templates"
        description="Reusable email designs"
        action={
          <ButtonLink to="/my-templates/brand" icon={<Palette aria-hidden="true" className="size-4" />}>
            Brand and images
          </ButtonLink>
        }
      />
      {templates.isError && !templates.data && (
        <Card flush>
          <ErrorState
            title="The templates could not be loaded"
            error={templates.error}
            onRetry={() => templates.refetch()}
          />
        </Card>
      )}
      <NewTemplate onMade={open}>
        {(templates.isPending || items.length > 0) && (
          <section aria-label="Your templates">
            <h2 className="mb-4 text-md font-semibold text-ink">Your templates</h2>
            <ul className="grid gap-4 sm:grid-cols-2 md:grid-cols-3 wide:grid-cols-4">
              {templates.isPending && [0, 1, 2].map((key) => <Skeleton key={key} className="h-56 rounded-card" />)}
              {items.map((template) => (
                <TemplateCard
                  key={template.id}
                  template={template}
                  onCopy={() =>
                    copy.mutate(
                      { kind: 'copy', id: template.id },
                      { onError: (error) => toast.error(`The template was not copied. ${errorMessage(error)}`) },
                    )
                  }
                  onRemove={() => setRemoving(template)}
                />
              ))}
            </ul>
          </section>
        )}
      </NewTemplate>
      <RemoveTemplate template={removing} onClose={() => setRemoving(null)} />
    </>
  )
}

function TemplateCard({
  template,
  onCopy,
  onRemove,
}: {
  template: TemplateSummary
  onCopy: () => void
  onRemove: () => void
}) {
  return (
    <li className="group relative min-w-0 rounded-card border bg-surface transition-colors hover:border-control">
      <TemplateThumbnail id={template.id} version={template.updatedAt} />
      <div className="flex items-start gap-2 py-3 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <Link
            to={`/editor/${template.id}`}
            className="block truncate text-base font-medium text-ink after:absolute after:inset-0 after:rounded-card"
          >
            {template.name}
          </Link>
          <p className="truncate text-sm text-muted">{template.subject || 'No subject yet'}</p>
          <p className="text-sm text-muted">
            Edited <TimeAgo at={template.updatedAt} />
          </p>
        </div>
        <div className="relative">
          <Menu
            trigger={
              <IconButton size="sm" label={`Actions for ${template.name}`}>
                <MoreHorizontal aria-hidden="true" className="size-4" />
              </IconButton>
            }
          >
            <MenuItem onSelect={onCopy}>Duplicate</MenuItem>
            <MenuSeparator />
            <MenuItem harm onSelect={onRemove}>
              Remove template
            </MenuItem>
          </Menu>
        </div>
      </div>
    </li>
  )
}

function RemoveTemplate({ template, onClose }: { template: TemplateSummary | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!template) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove the template ${template.name}?`}
      action="Remove template"
      typed={template.name}
      onConfirm={async () => {
        await api(contract.remove, { params: { id: template.id } })
        await queries.invalidateQueries({ queryKey: ['templates'] })
      }}
    >
      This can’t be undone. Campaigns that were sent keep their content.
    </ConfirmDialog>
  )
}
