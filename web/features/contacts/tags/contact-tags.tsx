import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { type ContactProfile, useContactsRefresh, useTags } from '../queries.ts'
import { TagDialog } from './tag-dialog.tsx'

/** The tags of a contact, each taken off with a click, and a menu of the others. */
export function ContactTags({ contact }: { contact: ContactProfile }) {
  const tags = useTags().data?.items ?? []
  const refresh = useContactsRefresh()
  const [busy, setBusy] = useState(false)
  const [making, setMaking] = useState(false)
  async function change(chosen: string[]) {
    setBusy(true)
    try {
      await api(contacts.update, { params: { id: contact.id }, body: { tags: chosen } })
      await refresh()
    } catch (error) {
      toast.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  const add = (id: string) => void change([...contact.tags, id])
  return (
    <Card title="Tags">
      <div className="flex flex-wrap items-center gap-1.5 pt-1">
        {tags
          .filter(({ id }) => contact.tags.includes(id))
          .map(({ id, name }) => (
            <span
              key={id}
              className="inline-flex h-7 max-w-full items-center gap-1 rounded-full border bg-surface pr-1 pl-2.5 text-sm text-ink"
            >
              <span className="truncate">{name}</span>
              <button
                type="button"
                aria-label={`Remove the tag ${name}`}
                disabled={busy}
                className="rounded-full p-1 text-muted hover:text-ink"
                onClick={() => void change(contact.tags.filter((other) => other !== id))}
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </span>
          ))}
        <Menu
          align="start"
          trigger={
            <Button size="sm" kind="quiet" busy={busy} icon={<Plus aria-hidden="true" className="size-3.5" />}>
              Add tag
            </Button>
          }
        >
          {tags
            .filter(({ id }) => !contact.tags.includes(id))
            .map(({ id, name }) => (
              <MenuItem key={id} onSelect={() => add(id)}>
                {name}
              </MenuItem>
            ))}
          {tags.length > contact.tags.length && <MenuSeparator />}
          <MenuItem onSelect={() => setMaking(true)}>New tag…</MenuItem>
        </Menu>
      </div>
      {making && <TagDialog tag={null} onCreated={({ id }) => add(id)} onClose={() => setMaking(false)} />}
    </Card>
  )
}
