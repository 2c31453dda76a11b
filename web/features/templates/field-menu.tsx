import { Braces } from 'lucide-react'
import { useMergeFields } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'

/** The fields of an email: about the reader, from the contacts' attributes, and the links each email has. */
export function FieldMenu({ onInsert }: { onInsert: (text: string) => void }) {
  const fields = useMergeFields()
  const entry = (label: string, text: string) => (
    <MenuItem key={text} onSelect={() => onInsert(text)}>
      {label}
    </MenuItem>
  )
  return (
    <Menu
      trigger={
        <Button size="sm" icon={<Braces aria-hidden="true" className="size-4" />}>
          Insert variable
        </Button>
      }
    >
      <MenuLabel>Contact</MenuLabel>
      {entry('First name, or “there”', '{{ first_name | default: "there" }}')}
      {entry('Last name', '{{ last_name }}')}
      {entry('Full name', '{{ name }}')}
      {entry('Email address', '{{ email }}')}
      {fields.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>Custom fields</MenuLabel>
          <div className="max-h-60 overflow-y-auto">{fields.map(({ label, text }) => entry(label, text))}</div>
        </>
      )}
      <MenuSeparator />
      <MenuLabel>Links</MenuLabel>
      {entry('Unsubscribe', '{{ unsubscribe_url }}')}
      {entry('Manage preferences', '{{ preferences_url }}')}
      {entry('View in browser', '{{ view_url }}')}
      {entry('Confirm subscription', '{{ confirm_url }}')}
    </Menu>
  )
}
