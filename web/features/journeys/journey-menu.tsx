import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type JourneySummary, journeys } from '#contracts/journeys/journeys.ts'
import { api, errorMessage } from '#web/api.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useStoreJourney } from './queries.ts'

interface JourneyMenuProps {
  /** It is gone, and its page is left. */
  onRemoved?: () => void
  journey: JourneySummary
  /** What else can be done where the journey is open. */
  children?: React.ReactNode
}

/** What is done with a journey as a whole, besides activating it. */
export function JourneyMenu({ journey, onRemoved, children }: JourneyMenuProps) {
  const { id, name, state } = journey
  const navigate = useNavigate()
  const store = useStoreJourney()
  const [asked, setAsked] = useState<'archive' | 'delete' | null>(null)
  async function duplicate() {
    try {
      const { definition } = await api(journeys.get, { params: { id } })
      const made = await api(journeys.create, { body: { name: `Copy of ${name}`.slice(0, 120), definition } })
      store(made)
      await navigate(`/journeys/${made.id}`)
    } catch (error) {
      toast.error(errorMessage(error))
    }
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={`Actions for ${name}`}>
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        {children}
        {state !== 'draft' && <MenuLink to={`/journeys/${id}?view=contacts`}>View contacts</MenuLink>}
        <MenuItem onSelect={() => void duplicate()}>Duplicate</MenuItem>
        <MenuSeparator />
        {state !== 'draft' && state !== 'archived' && (
          <MenuItem harm onSelect={() => setAsked('archive')}>
            Archive journey
          </MenuItem>
        )}
        {(state === 'draft' || state === 'archived') && (
          <MenuItem harm onSelect={() => setAsked('delete')}>
            Delete journey
          </MenuItem>
        )}
      </Menu>
      {asked === 'archive' && <ArchiveDialog journey={journey} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteDialog journey={journey} onRemoved={onRemoved} onClose={() => setAsked(null)} />}
    </>
  )
}

interface DialogProps {
  journey: JourneySummary
  onClose: () => void
}

function ArchiveDialog({ journey: { id, name, active }, onClose }: DialogProps) {
  const store = useStoreJourney()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Archive ${name}?`}
      action="Archive journey"
      typed={name}
      onConfirm={async () => store(await api(journeys.update, { params: { id }, body: { state: 'archived' } }))}
    >
      {active > 0 ? `${plural(active, 'contact')} in progress will leave and get no more of its emails. ` : ''}
      An archived journey can’t be activated again. Its reports stay, and you can duplicate it. Pause it if you are not
      sure.
    </ConfirmDialog>
  )
}

function DeleteDialog({
  journey: { id, name, state },
  onRemoved,
  onClose,
}: DialogProps & Pick<JourneyMenuProps, 'onRemoved'>) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name}?`}
      action="Delete journey"
      {...(state === 'archived' && { typed: name })}
      onConfirm={async () => {
        await api(journeys.remove, { params: { id } })
        onRemoved?.()
        await navigate('/journeys')
        queries.removeQueries({ queryKey: ['journeys', id] })
        await queries.invalidateQueries({ queryKey: ['journeys', 'list'] })
      }}
    >
      {state === 'draft'
        ? 'This deletes the draft. Its templates, lists and tags are not deleted.'
        : 'Its counts and the list of its contacts are deleted. Emails stay in the timelines of contacts.'}
    </ConfirmDialog>
  )
}
