import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#contracts/contacts/contacts.ts'
import type { ContactField } from '#contracts/contacts/fields.ts'
import type { List } from '#contracts/contacts/lists.ts'
import type { Tag } from '#contracts/contacts/tags.ts'
import type { Column } from '#web/ui/display/data-table.tsx'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { formatValue, labelField } from './fields/labels.ts'
import { labelSource } from './labels.ts'
import { StatusBadge } from './status-badge.tsx'

const KEY = 'contacts.columns'
const DEFAULT = ['name', 'lists', 'status', 'createdAt']
/** A custom field is a column whose id begins with this. */
const FIELD = 'field:'

const none = <span className="text-muted">-</span>

/** What names a contact's lists, tags and custom fields. */
interface Named {
  lists: List[]
  tags: Tag[]
  fields: ContactField[]
}

const joinNames = (ids: string[], all: { id: string; name: string }[]) =>
  ids.map((id) => all.find((one) => one.id === id)?.name ?? '...').join(', ') || none

const builtIn = ({ lists, tags }: Pick<Named, 'lists' | 'tags'>): Column<Contact>[] => {
  return [
    { id: 'name', header: 'Name', sortable: true, cell: (contact) => contact.name || none },
    { id: 'phone', header: 'Phone', wideOnly: true, cell: (contact) => contact.phone ?? none },
    {
      id: 'lists',
      header: 'Lists',
      wideOnly: true,
      cell: (contact) => joinNames(contact.lists, lists),
    },
    { id: 'tags', header: 'Tags', wideOnly: true, cell: (contact) => joinNames(contact.tags, tags) },
    { id: 'status', header: 'Status', sortable: true, cell: (contact) => <StatusBadge status={contact.status} /> },
    { id: 'source', header: 'Source', wideOnly: true, cell: (contact) => labelSource(contact.source) },
    {
      id: 'createdAt',
      header: 'Added',
      number: true,
      wideOnly: true,
      sortable: true,
      cell: (contact) => <TimeAgo at={contact.createdAt} />,
    },
    {
      id: 'updatedAt',
      header: 'Updated',
      number: true,
      wideOnly: true,
      cell: (contact) => <TimeAgo at={contact.updatedAt} />,
    },
  ]
}

const fieldColumn = (name: string, fields: ContactField[]): Column<Contact> => ({
  id: FIELD + name,
  header: labelField(name, fields),
  wideOnly: true,
  cell: (contact) => formatValue(contact.attributes[name], fields.find((field) => field.name === name)?.type) || none,
})

const address: Column<Contact> = {
  id: 'email',
  header: 'Email',
  sortable: true,
  cell: (contact) => (
    <span className="inline-flex max-w-full items-center gap-2 align-bottom">
      <span className="min-w-0 truncate">{contact.email ?? contact.phone ?? contact.name}</span>
      {contact.source === 'sample' && <Badge>Sample</Badge>}
    </span>
  ),
}

/** The columns of the table that were chosen, the address first, in a fixed order: a custom field after the built-in ones. */
export function chosenColumns(chosen: string[], named: Named): Column<Contact>[] {
  const fields = chosen
    .filter((id) => id.startsWith(FIELD))
    .map((id) => fieldColumn(id.slice(FIELD.length), named.fields))
  return [address, ...builtIn(named).filter(({ id }) => chosen.includes(id)), ...fields]
}

function readChosen(): string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return Array.isArray(read) ? read.filter((id) => typeof id === 'string').slice(0, 30) : DEFAULT
  } catch {
    return DEFAULT
  }
}

/** Which columns are shown, remembered in this browser. */
export function useChosenColumns() {
  const [chosen, setChosen] = useState(readChosen)
  function change(next: string[]) {
    setChosen(next)
    try {
      localStorage.setItem(KEY, JSON.stringify(next))
    } catch {
      // Without storage they last as long as the page.
    }
  }
  return [chosen, change] as const
}

interface ColumnMenuProps {
  chosen: string[]
  /** The names of custom fields. */
  fields: string[]
  /** Those that are defined. */
  defined: ContactField[]
  onChange: (chosen: string[]) => void
}

/** Which columns the table has, custom fields too. On a phone a contact is a card: nothing to choose there. */
export function ColumnMenu({ chosen, fields, defined, onChange }: ColumnMenuProps) {
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id))
  return (
    <Menu
      trigger={
        <Button size="sm" className="max-md:hidden" icon={<Columns3 aria-hidden="true" className="size-3.5" />}>
          Columns
        </Button>
      }
    >
      <MenuLabel>Columns</MenuLabel>
      {builtIn({ lists: [], tags: [] }).map(({ id, header }) => (
        <MenuCheck key={id} label={String(header)} checked={chosen.includes(id)} onChange={(on) => toggle(id, on)} />
      ))}
      {fields.length > 0 && <MenuLabel>Custom fields</MenuLabel>}
      {fields.map((name) => (
        <MenuCheck
          key={name}
          label={labelField(name, defined)}
          checked={chosen.includes(FIELD + name)}
          onChange={(on) => toggle(FIELD + name, on)}
        />
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => onChange(DEFAULT)}>Reset columns</MenuItem>
    </Menu>
  )
}
