import { Braces } from 'lucide-react'
import { useMergeFields } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'

const BUILT_IN = [
  { label: 'First name, or “there”', text: '{{ first_name | default: "there" }}' },
  { label: 'Last name', text: '{{ last_name }}' },
  { label: 'Full name', text: '{{ name }}' },
  { label: 'Email address', text: '{{ email }}' },
]

/** What a subject or preview text can hold of each recipient. `fields`: the columns of a campaign's own rows, in place of the contacts'. */
export function VariableMenu({ fields, onInsert }: { fields: string[]; onInsert: (text: string) => void }) {
  const custom = useMergeFields()
  const own =
    fields.length > 0
      ? fields.map((path) => ({
          label: path.replace(/^attributes(\.|\[")/, '').replace(/"\]$/, ''),
          text: `{{ ${path} }}`,
        }))
      : custom.filter(({ name }) => name !== 'first_name' && name !== 'last_name')
  return (
    <Menu
      trigger={
        <Button size="sm" kind="quiet" icon={<Braces aria-hidden="true" className="size-4" />}>
          Add variable
        </Button>
      }
    >
      {fields.length === 0 && (
        <>
          <MenuLabel>Contact</MenuLabel>
          {BUILT_IN.map(({ label, text }) => (
            <MenuItem key={text} onSelect={() => onInsert(text)}>
              {label}
            </MenuItem>
          ))}
        </>
      )}
      {own.length > 0 && (
        <>
          {fields.length === 0 && <MenuSeparator />}
          <MenuLabel>{fields.length === 0 ? 'Custom fields' : 'Columns of your file'}</MenuLabel>
          <div className="max-h-60 overflow-y-auto">
            {own.map(({ label, text }) => (
              <MenuItem key={text} onSelect={() => onInsert(text)}>
                {label}
              </MenuItem>
            ))}
          </div>
        </>
      )}
    </Menu>
  )
}
