import { useMutation } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { type Template, templates } from '#contracts/templates/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { BrandDialog } from '../brand-dialog.tsx'
import type { OnScreen } from './editor-screen.tsx'
import { VersionsPanel } from './versions-panel.tsx'

interface MoreMenuProps {
  id: string
  screen: OnScreen
  /** Saves what is waiting; true when everything is saved. */
  flush: () => Promise<boolean>
  onRestored: (template: Template) => void
}

/** What else can be done with the email: versions, brand, downloads; on a phone also what the bar has no room for. */
export function MoreMenu({ id, screen, flush, onRestored }: MoreMenuProps) {
  const [open, setOpen] = useState<'versions' | 'brand' | null>(null)
  const take = useMutation({
    mutationFn: async (format: 'html' | 'mjml' | 'zip') => {
      if (!(await flush())) throw new Error('Your changes could not be saved, so nothing was downloaded.')
      await saveFile(await api(templates.export, { params: { id }, query: { format } }), `template.${format}`)
    },
    onError: (error) => toast.error(`The download failed. ${errorMessage(error)}`),
  })
  const close = () => setOpen(null)
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label="More actions">
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        <PhoneItems screen={screen} />
        <MenuItem onSelect={() => setOpen('versions')}>Versions</MenuItem>
        <MenuItem onSelect={() => setOpen('brand')}>Brand</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => take.mutate('html')}>Download as HTML</MenuItem>
        {screen.isMjml && <MenuItem onSelect={() => take.mutate('mjml')}>Download as MJML</MenuItem>}
        <MenuItem onSelect={() => take.mutate('zip')}>Download as ZIP with images</MenuItem>
      </Menu>
      {open === 'brand' && <BrandDialog onClose={close} />}
      {open === 'versions' && (
        <VersionsPanel
          id={id}
          flush={flush}
          onClose={close}
          onRestored={(template) => {
            close()
            onRestored(template)
          }}
        />
      )}
    </>
  )
}

/** What the bar has no room for on a phone. */
export function PhoneItems({ screen: { view, onView, isMjml, undo, redo } }: { screen: OnScreen }) {
  const edit = isMjml ? 'design' : 'code'
  return (
    <div className="md:hidden">
      <MenuItem onSelect={() => onView(view === 'preview' ? edit : 'preview')}>
        {view === 'preview' ? 'Close preview' : 'Preview'}
      </MenuItem>
      {view === 'design' && <MenuItem onSelect={undo}>Undo</MenuItem>}
      {view === 'design' && <MenuItem onSelect={redo}>Redo</MenuItem>}
      <MenuSeparator />
    </div>
  )
}
