import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { MAX_FORM_FIELDS } from '#contracts/contacts/forms.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { useContactFields, useFindField } from '../queries.ts'
import { type DraftField, nextKey } from './draft.ts'

const BUILT_IN = [
  { name: 'name', label: 'Name' },
  { name: 'first_name', label: 'First name' },
  { name: 'last_name', label: 'Last name' },
]

interface FieldsEditorProps {
  fields: DraftField[]
  onChange: (fields: DraftField[]) => void
}

/** What a form asks beside the email address, in its order. */
export function FieldsEditor({ fields, onChange }: FieldsEditorProps) {
  const attributes = useContactFields().data?.attributes ?? []
  const findField = useFindField()
  const custom = attributes.map((name) => ({ name: `attributes.${name}`, label: findField(name)?.label ?? name }))
  const isUnused = ({ name }: { name: string }) => !fields.some((field) => field.name === name)
  const buildItems = (some: { name: string; label: string }[]) =>
    some.filter(isUnused).map((field) => (
      <MenuItem key={field.name} onSelect={() => onChange([...fields, { ...field, key: nextKey(), required: false }])}>
        {field.label}
      </MenuItem>
    ))
  const change = (key: string, part: Partial<DraftField>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...part } : field)))
  function move(at: number, by: number) {
    const moved = [...fields]
    const [field] = moved.splice(at, 1)
    if (field) moved.splice(at + by, 0, field)
    onChange(moved)
  }
  return (
    <div className="space-y-2">
      {fields.map((field, at) => (
        <div key={field.key} className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border p-2.5">
          <Input
            aria-label={`Label of ${field.name.replace('attributes.', '')}`}
            className="min-w-32 flex-1"
            maxLength={100}
            value={field.label}
            onChange={(event) => change(field.key, { label: event.target.value })}
          />
          <Checkbox
            label="Required"
            checked={field.required}
            onChange={(event) => change(field.key, { required: event.target.checked })}
          />
          <span className="flex items-center">
            <IconButton size="sm" label={`Move ${field.label} up`} disabled={at === 0} onClick={() => move(at, -1)}>
              <ArrowUp aria-hidden="true" className="size-4" />
            </IconButton>
            <IconButton
              size="sm"
              label={`Move ${field.label} down`}
              disabled={at === fields.length - 1}
              onClick={() => move(at, 1)}
            >
              <ArrowDown aria-hidden="true" className="size-4" />
            </IconButton>
            <IconButton
              size="sm"
              label={`Remove ${field.label}`}
              onClick={() => onChange(fields.filter(({ key }) => key !== field.key))}
            >
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </span>
        </div>
      ))}
      <p className="rounded-card border border-dashed px-3 py-2.5 text-sm text-muted">
        Email address, always asked and required
      </p>
      {[...BUILT_IN, ...custom].some(isUnused) && fields.length < MAX_FORM_FIELDS && (
        <Menu
          trigger={
            <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />}>
              Add field
            </Button>
          }
        >
          {buildItems(BUILT_IN)}
          {custom.length > 0 && (
            <>
              <MenuSeparator />
              <MenuLabel>Custom fields</MenuLabel>
              <div className="max-h-60 overflow-y-auto">{buildItems(custom)}</div>
            </>
          )}
        </Menu>
      )}
    </div>
  )
}
