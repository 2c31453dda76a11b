import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Input, PasswordInput, SearchInput, Textarea } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
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
        <Tooltip text="Add contact">
          <IconButton label="Add contact">
            <Plus aria-hidden="true" className="size-4" />
          </IconButton>
        </Tooltip>
      </Part>
      <Part title="Fields">
        <div className="grid w-full gap-5 sm:grid-cols-2">
          <Field label="Name" hint="Shown to recipients.">
            <Input defaultValue="Spring workshop" />
          </Field>
          <Field label="Email" error="Email must be a valid email address.">
            <Input defaultValue="ada@" />
          </Field>
          <Field label="Password">
            <PasswordInput defaultValue="a long enough phrase" />
          </Field>
          <Field label="List" optional>
            <Select>
              <option>Newsletter</option>
              <option>All contacts</option>
            </Select>
          </Field>
          <Field label="Message">
            <Textarea defaultValue="Hello {{ name }}" />
          </Field>
          <SearchInput label="Search contacts" className="self-start" />
          <Checkbox label="Track opens" hint="A tracking pixel in the email." defaultChecked />
          <RadioGroup
            legend="When"
            options={[
              { value: 'now', label: 'Now', hint: 'Immediately after the check.' },
              { value: 'later', label: 'Later', hint: 'At a date and time' },
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
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Delete</Button>
        <Button onClick={() => toast('3 contacts were removed')}>Show toast</Button>
        <Dialog
          open={open === 'dialog'}
          onOpenChange={() => setOpen(null)}
          title="Rename list"
          description="Campaigns already sent keep the old name."
          footer={
            <Button kind="primary" onClick={() => setOpen(null)}>
              Save changes
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
          title="Delete list?"
          action="Delete list"
          typed="Newsletter"
          onConfirm={async () => undefined}
        >
          Its 4,812 contacts and its reports are kept.
        </ConfirmDialog>
      </Part>
    </>
  )
}
