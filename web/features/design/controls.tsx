import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { Field } from '#web/ui/field.tsx'
import { FileDrop } from '#web/ui/file-drop.tsx'
import { Input, PasswordInput, SearchInput, Textarea } from '#web/ui/input.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { Part } from './part.tsx'

const kinds = ['primary', 'secondary', 'quiet', 'danger', 'gradient'] as const

/** Buttons, fields, menus, dialogs, toasts. */
export function Controls() {
  const [when, setWhen] = useState<'now' | 'later'>('now')
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null)
  return (
    <>
      <Part title="Buttons">
        {kinds.map((kind) => (
          <Button key={kind} kind={kind}>
            Send to 4,812 people
          </Button>
        ))}
        {(['sm', 'md', 'lg'] as const).map((size) => (
          <Button key={size} size={size} icon={<Plus aria-hidden="true" className="size-4" />}>
            New template
          </Button>
        ))}
        <Button busy>Sending</Button>
        <Button disabled>Nothing to send</Button>
        <Tooltip text="Add a contact">
          <IconButton label="Add a contact">
            <Plus aria-hidden="true" className="size-4" />
          </IconButton>
        </Tooltip>
      </Part>
      <Part title="Fields">
        <div className="grid w-full gap-5 sm:grid-cols-2">
          <Field label="Name" hint="As people know it.">
            <Input defaultValue="Spring workshop" />
          </Field>
          <Field label="E-mail" error="E-mail is not an email address.">
            <Input defaultValue="ada@" />
          </Field>
          <Field label="Password">
            <PasswordInput defaultValue="a long enough phrase" />
          </Field>
          <Field label="List" optional>
            <Select>
              <option>Newsletter</option>
              <option>Everybody</option>
            </Select>
          </Field>
          <Field label="Message">
            <Textarea defaultValue="Hello {{ name }}" />
          </Field>
          <SearchInput label="Search contacts" className="self-start" />
          <Checkbox label="Count opens" hint="A small picture in the letter." defaultChecked />
          <RadioGroup
            legend="When"
            options={[
              { value: 'now', label: 'Now', hint: 'As soon as it is checked.' },
              { value: 'later', label: 'Later', hint: 'At a time of yours.' },
            ]}
            value={when}
            onChange={setWhen}
            cards
          />
          <FileDrop label="Upload a CSV or XLSX file" hint="Up to 2 GB" accept=".csv,.xlsx" onFile={() => undefined} />
        </div>
      </Part>
      <Part title="Menus, dialogs, toasts">
        <Menu trigger={<Button>More</Button>}>
          <MenuItem onSelect={() => undefined}>Duplicate</MenuItem>
          <MenuItem onSelect={() => undefined}>Export</MenuItem>
        </Menu>
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Delete something</Button>
        <Button onClick={() => toast('3 contacts were removed')}>Show a toast</Button>
        <Dialog
          open={open === 'dialog'}
          onOpenChange={() => setOpen(null)}
          title="Rename the list"
          description="Campaigns that were sent keep the old name."
          footer={
            <Button kind="primary" onClick={() => setOpen(null)}>
              Rename the list
            </Button>
          }
        >
          <Field label="Name">
            <Input defaultValue="Newsletter" />
          </Field>
        </Dialog>
        <ConfirmDialog
          open={open === 'confirm'}
          onOpenChange={() => setOpen(null)}
          title="Delete the list?"
          action="Delete the list"
          typed="Newsletter"
          onConfirm={async () => undefined}
        >
          Its 4,812 contacts stay, and so do the reports.
        </ConfirmDialog>
      </Part>
    </>
  )
}
