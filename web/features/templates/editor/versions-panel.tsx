import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { type Template, templates } from '#contracts/templates/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { VersionThumbnail } from '../starters/thumbnail.tsx'

type Version = ResponseBody<typeof templates.versions>['items'][number]

interface VersionsProps {
  id: string
  /** Saves what is waiting; true when everything is saved. */
  flush: () => Promise<boolean>
  onClose: () => void
  onRestored: (template: Template) => void
}

/** The earlier states of a template, with what each looks like: named in place, and restored. */
export function VersionsPanel({ id, flush, onClose, onRestored }: VersionsProps) {
  const found = useQuery({
    queryKey: ['template-versions', id],
    queryFn: () => api(templates.versions, { params: { id } }),
    staleTime: 0,
  })
  const restore = useMutation({
    mutationFn: async (versionId: string) => {
      if (!(await flush())) throw new Error('Your changes could not be saved, so nothing was restored.')
      return api(templates.restore, { params: { id, versionId } })
    },
    onSuccess: (template) => {
      onRestored(template)
      toast('Version restored. The previous content is in your versions.')
    },
  })
  const error = restore.error ?? found.error
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title="Versions"
      description="A version is saved every five minutes while you edit, and before content is replaced. The last 20 are kept, and the ones you name."
    >
      {error && <FormBanner error={errorMessage(error)} />}
      {found.isPending && <SkeletonRows rows={4} />}
      {found.data?.items.length === 0 && (
        <p className="text-muted">No versions yet. The first one is saved with your first change.</p>
      )}
      <ul className="divide-y">
        {found.data?.items.map((version) => (
          <li key={version.id} className="flex gap-3 py-3">
            <div className="w-28 shrink-0 overflow-hidden rounded-card border">
              <VersionThumbnail templateId={id} id={version.id} />
            </div>
            <div className="flex min-w-0 flex-1 flex-col">
              <VersionName templateId={id} version={version} />
              <p className="truncate text-sm text-muted">{version.subject || 'No subject'}</p>
              <Button
                size="sm"
                className="mt-auto self-start"
                busy={restore.isPending && restore.variables === version.id}
                disabled={restore.isPending}
                onClick={() => restore.mutate(version.id)}
              >
                Restore
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </SidePanel>
  )
}

function VersionName({ templateId, version }: { templateId: string; version: Version }) {
  const queries = useQueryClient()
  const [label, setLabel] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: (text: string) =>
      api(templates.nameVersion, { params: { id: templateId, versionId: version.id }, body: { label: text } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['template-versions', templateId] }),
    onError: (error) => toast.error(`The name was not saved. ${errorMessage(error)}`),
  })
  const finish = () => {
    if (label !== null && label.trim() !== version.label) save.mutate(label.trim())
    setLabel(null)
  }
  const moment = formatMoment(version.at)
  if (label !== null)
    return (
      <Input
        autoFocus
        aria-label="Version name"
        className="h-8"
        maxLength={80}
        autoComplete="off"
        value={label}
        placeholder={moment}
        onChange={(event) => setLabel(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish()
          if (event.key !== 'Escape') return
          event.stopPropagation()
          setLabel(null)
        }}
      />
    )
  return (
    <div>
      <p className="flex items-center gap-1 font-medium text-ink">
        <span className="min-w-0 truncate">{version.label || moment}</span>
        <IconButton
          size="sm"
          label={`Rename the version ${version.label || moment}`}
          onClick={() => setLabel(version.label)}
        >
          <Pencil aria-hidden="true" className="size-3.5" />
        </IconButton>
      </p>
      {version.label !== '' && <p className="text-sm text-muted">{moment}</p>}
    </div>
  )
}
