import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bookmark, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { blocks, type SavedBlock } from '#contracts/templates/parts.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useEditorBackend } from '../editor-backend.tsx'
import { useBlocks } from '../queries.ts'
import { type Piece, ROWS } from './block-kinds.ts'
import type { Dragged } from './drop-target.ts'

/** A saved block as a piece of the palette. Its first element that is no condition says where it may stand. */
export function toPiece({ id, name, mjml }: SavedBlock): Piece {
  const tag = /<(mj-(?!raw)[a-z-]+)/i.exec(mjml)?.[1]?.toLowerCase() ?? ''
  return { id: `saved ${id}`, label: name, level: ROWS.has(tag) ? 'row' : 'piece', mjml }
}

interface SavedBlocksProps {
  onAdd: (piece: Piece) => void
  dragged: React.RefObject<Dragged | null>
}

/** The saved blocks of other emails: dragged in or pressed, renamed, removed. */
export function SavedBlocks({ onAdd, dragged }: SavedBlocksProps) {
  const { isDemo } = useEditorBackend()
  const found = useBlocks(!isDemo)
  const [renaming, setRenaming] = useState<SavedBlock | null>(null)
  const [removing, setRemoving] = useState<SavedBlock | null>(null)
  if (isDemo) return null
  return (
    <section aria-label="Saved blocks" className="border-b p-3">
      <h2 className="mb-2 text-sm font-medium text-muted">Saved</h2>
      {found.isError && (
        <p className="text-sm text-muted">The saved blocks could not be loaded. {errorMessage(found.error)}</p>
      )}
      {found.data?.items.length === 0 && (
        <p className="text-sm text-muted">Select a block and click its bookmark icon to reuse it in other emails.</p>
      )}
      <ul className="space-y-1">
        {found.data?.items.map((block) => (
          <li key={block.id} className="flex items-center gap-1">
            <button
              type="button"
              draggable
              onDragStart={(event) => {
                dragged.current = { piece: toPiece(block) }
                event.dataTransfer.setData('text/plain', block.name)
                event.dataTransfer.effectAllowed = 'copyMove'
              }}
              onDragEnd={() => {
                dragged.current = null
              }}
              onClick={() => onAdd(toPiece(block))}
              title={block.name}
              className="flex h-8 min-w-0 flex-1 cursor-grab items-center gap-1.5 rounded-control border bg-raised px-2 text-left text-sm text-text hover:border-control hover:text-ink active:cursor-grabbing"
            >
              <Bookmark aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
              <span className="truncate">{block.name}</span>
            </button>
            <Menu
              trigger={
                <IconButton size="sm" label={`Actions for ${block.name}`}>
                  <MoreHorizontal aria-hidden="true" className="size-4" />
                </IconButton>
              }
            >
              <MenuItem onSelect={() => setRenaming(block)}>Rename</MenuItem>
              <MenuSeparator />
              <MenuItem harm onSelect={() => setRemoving(block)}>
                Remove block
              </MenuItem>
            </Menu>
          </li>
        ))}
      </ul>
      {renaming && <RenameBlock block={renaming} onClose={() => setRenaming(null)} />}
      {removing && <RemoveBlock block={removing} onClose={() => setRemoving(null)} />}
    </section>
  )
}

interface NameDialogProps {
  title: string
  description?: string
  initial: string
  action: string
  save: (name: string) => Promise<unknown>
  onClose: () => void
}

function NameDialog({ title, description, initial, action, save, onClose }: NameDialogProps) {
  const queries = useQueryClient()
  const [name, setName] = useState(initial)
  const saving = useMutation({
    mutationFn: () => save(name.trim()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['blocks'] })
      onClose()
    },
  })
  return (
    <Dialog
      isForm
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      {...(description && { description })}
      size="sm"
    >
      <form
        className="space-y-4 pb-4"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (name.trim() !== '') saving.mutate()
        }}
      >
        {saving.isError && <FormBanner error={errorMessage(saving.error)} />}
        <Field label="Name">
          <Input value={name} maxLength={80} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={saving.isPending} disabled={name.trim() === ''}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Asks for a name and keeps a piece of the email under it. */
export function SaveBlock({ mjml, initial, onClose }: { mjml: string; initial: string; onClose: () => void }) {
  return (
    <NameDialog
      title="Save as block"
      description="The block is saved as it is now. Each email that uses it gets its own copy."
      initial={initial}
      action="Save block"
      onClose={onClose}
      save={async (name) => {
        await api(blocks.create, { body: { name, mjml } })
        toast(`${name} saved to your blocks`)
      }}
    />
  )
}

function RenameBlock({ block, onClose }: { block: SavedBlock; onClose: () => void }) {
  return (
    <NameDialog
      title={`Rename ${block.name}`}
      initial={block.name}
      action="Save changes"
      onClose={onClose}
      save={(name) => api(blocks.change, { params: { id: block.id }, body: { name } })}
    />
  )
}

function RemoveBlock({ block, onClose }: { block: SavedBlock; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove the block ${block.name}?`}
      action="Remove block"
      onConfirm={async () => {
        await api(blocks.remove, { params: { id: block.id } })
        await queries.invalidateQueries({ queryKey: ['blocks'] })
      }}
    >
      This can’t be undone. Emails that use it keep their copy.
    </ConfirmDialog>
  )
}
