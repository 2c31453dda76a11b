import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { ApiError } from '#contracts/client.ts'
import { contacts, Phone } from '#contracts/contacts/contacts.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { type AttributeRow, AttributeRows, toAttributes } from './attribute-rows.tsx'
import { useContactFields, useLists } from './queries.ts'

interface AddContactPanelProps {
  /** Ticked at first. */
  listId?: string | undefined
  onClose: () => void
}

/** A new contact beside the table. */
export function AddContactPanel({ listId, onClose }: AddContactPanelProps) {
  const form = useId()
  const [busy, setBusy] = useState(false)
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add contact"
      description="Add people who agreed to hear from you."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            Add contact
          </Button>
        </>
      }
    >
      <ContactForm id={form} listId={listId} onBusy={setBusy} onSaved={onClose} />
    </SidePanel>
  )
}

/** A phone number without the signs people put between its digits. */
const bare = (phone: string) => phone.replace(/[\s()/.-]/g, '')

/** The contract's rules for what is typed: an empty field is none. */
const Typed = z
  .object({ email: z.string().trim(), phone: z.string(), name: z.string() })
  .refine(({ email }) => email === '' || Email.safeParse(email).success, {
    path: ['email'],
    message: 'is not a valid email address',
  })
  .refine(({ phone }) => phone === '' || Phone.safeParse(bare(phone)).success, {
    path: ['phone'],
    message: 'must be in international format, such as +4930123456',
  })
  .refine(({ email, phone }) => email !== '' || phone !== '', {
    path: ['email'],
    message: 'or a phone number is required',
  })

interface ContactFormProps {
  id: string
  listId: string | undefined
  onBusy: (busy: boolean) => void
  onSaved: () => void
}

function ContactForm({ id, listId, onBusy, onSaved }: ContactFormProps) {
  const queries = useQueryClient()
  const fields = useContactFields()
  const [rows, setRows] = useState<AttributeRow[]>([])
  const [chosen, setChosen] = useState<string[]>(listId ? [listId] : [])
  const [erased, setErased] = useState(false)
  const [readmit, setReadmit] = useState(false)
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(Typed),
    defaultValues: { email: '', phone: '', name: '' },
  })
  const submit = handleSubmit(async (given) => {
    const body = {
      email: given.email || null,
      phone: bare(given.phone) || null,
      name: given.name,
      attributes: toAttributes(rows),
      lists: chosen,
    }
    onBusy(true)
    try {
      await api(contacts.create, { body: { ...body, ...(readmit && { readmit }) } })
      toast.success('Contact added')
      await Promise.all(['contacts', 'lists'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
      onSaved()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'contact_erased') setErased(true)
      showRefusal(setError, ['email', 'phone', 'name'], error)
    } finally {
      onBusy(false)
    }
  })
  return (
    <form id={id} noValidate onSubmit={submit} className="space-y-4">
      <FormBanner error={formState.errors.root?.message} />
      <Field label="Name" optional error={fieldError(formState.errors, 'name', 'Name')}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
      <Field label="Email" error={fieldError(formState.errors, 'email', 'Email')}>
        <Input type="email" autoComplete="off" spellCheck={false} {...register('email')} />
      </Field>
      <Field
        label="Phone"
        optional
        hint="With country code: +49 30 123456. A contact needs an email address or a phone number."
        error={fieldError(formState.errors, 'phone', 'Phone')}
      >
        <Input type="tel" autoComplete="off" {...register('phone')} />
      </Field>
      {erased && (
        <Checkbox
          label="They asked to be added again"
          hint="This person was erased from your contacts. Add them only if they asked for it."
          checked={readmit}
          onChange={(event) => setReadmit(event.target.checked)}
        />
      )}
      <ListTicks chosen={chosen} onChange={setChosen} />
      <AttributeRows rows={rows} known={fields.data?.attributes ?? []} onChange={setRows} />
    </form>
  )
}

function ListTicks({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const lists = useLists()
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium text-ink">Lists</legend>
      {lists.data?.items.length === 0 && <p className="text-sm text-muted">No lists yet. Create one under Lists.</p>}
      <div className="max-h-48 space-y-2 overflow-y-auto">
        {lists.data?.items.map((list) => (
          <Checkbox
            key={list.id}
            label={list.name}
            hint={list.optin === 'double' ? 'They get a confirmation email first.' : undefined}
            checked={chosen.includes(list.id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, list.id] : chosen.filter((id) => id !== list.id))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
