import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, History, Palette, Send } from 'lucide-react'
import { useState } from 'react'
import { type Template, templates } from '#contracts/templates/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { BrandDialog } from './brand-dialog.tsx'
import type { PreviewReader } from './contact-picker.tsx'

interface ActionsProps {
  id: string
  isMjml: boolean
  /** Whom the preview shows: a test is written as to them. */
  reader: PreviewReader
  /** Saves what is waiting; true when everything is saved. */
  flush: () => Promise<boolean>
  onRestored: (template: Template) => void
}

/** What can be done with the email as it is: try it, take it along, go back. Each saves first. */
export function EditorActions({ id, isMjml, reader, flush, onRestored }: ActionsProps) {
  const [looking, setLooking] = useState(false)
  const [branding, setBranding] = useState(false)
  const saved = async () => {
    if (!(await flush())) throw new Error('Your changes could not be saved, so nothing was done.')
  }
  const send = useMutation({
    mutationFn: async () => {
      await saved()
      return api(templates.test, { params: { id }, body: reader })
    },
    onSuccess: ({ ok, message }) => (ok ? toast(message) : toast.error(message)),
    onError: (error) => toast.error(`The test was not sent. ${errorMessage(error)}`),
  })
  const take = useMutation({
    mutationFn: async (format: 'html' | 'mjml' | 'zip') => {
      await saved()
      await saveFile(await api(templates.export, { params: { id }, query: { format } }), `template.${format}`)
    },
    onError: (error) => toast.error(`The download failed. ${errorMessage(error)}`),
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="sm" icon={<Palette aria-hidden="true" className="size-4" />} onClick={() => setBranding(true)}>
        Brand
      </Button>
      <Button size="sm" icon={<History aria-hidden="true" className="size-4" />} onClick={() => setLooking(true)}>
        Versions
      </Button>
      <Menu
        trigger={
          <Button size="sm" busy={take.isPending} icon={<Download aria-hidden="true" className="size-4" />}>
            Download
          </Button>
        }
      >
        <MenuItem onSelect={() => take.mutate('html')}>As HTML</MenuItem>
        {isMjml && <MenuItem onSelect={() => take.mutate('mjml')}>As MJML</MenuItem>}
        <MenuItem onSelect={() => take.mutate('zip')}>As ZIP with images</MenuItem>
      </Menu>
      <Button
        size="sm"
        kind="primary"
        busy={send.isPending}
        icon={<Send aria-hidden="true" className="size-4" />}
        onClick={() => send.mutate()}
      >
        {reader.listId ? `Send a test to me as contact ${reader.nth ?? 1}` : 'Send a test to me'}
      </Button>
      {branding && <BrandDialog onClose={() => setBranding(false)} />}
      {looking && (
        <Versions
          id={id}
          flush={saved}
          onClose={() => setLooking(false)}
          onRestored={(template) => {
            setLooking(false)
            onRestored(template)
            toast('Version restored. The previous content is in your versions.')
          }}
        />
      )}
    </div>
  )
}

interface VersionsProps {
  id: string
  flush: () => Promise<void>
  onClose: () => void
  onRestored: (template: Template) => void
}

function Versions({ id, flush, onClose, onRestored }: VersionsProps) {
  const found = useQuery({
    queryKey: ['template-versions', id],
    queryFn: () => api(templates.versions, { params: { id } }),
    staleTime: 0,
  })
  const restore = useMutation({
    mutationFn: async (versionId: string) => {
      await flush()
      return api(templates.restore, { params: { id, versionId } })
    },
    onSuccess: onRestored,
  })
  const error = restore.error ?? found.error
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title="Versions"
      description="A version is saved every five minutes while you edit, and before content is replaced. The last 20 are kept."
    >
      {error && <FormBanner error={errorMessage(error)} />}
      {found.isPending && <SkeletonRows rows={4} />}
      {found.data?.items.length === 0 && (
        <p className="text-muted">No versions yet. The first one is saved with your first change.</p>
      )}
      <ul className="divide-y">
        {found.data?.items.map((version) => (
          <li key={version.id} className="flex items-center gap-3 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium text-ink">{formatMoment(version.at)}</p>
              <p className="truncate text-sm text-muted">{version.subject || version.name}</p>
            </div>
            <Button size="sm" busy={restore.isPending} onClick={() => restore.mutate(version.id)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </SidePanel>
  )
}
