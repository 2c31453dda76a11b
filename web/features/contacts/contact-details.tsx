import { Plus } from 'lucide-react'
import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import type { Input as InputOf } from '#contracts/endpoint.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { InlineField } from '#web/ui/form/inline-field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { toAttributeValue } from './attribute-rows.tsx'
import { FieldChoice } from './fields/field-choice.tsx'
import { labelField, sortFields } from './fields/labels.ts'
import { type ContactProfile, useContactFields, useContactsRefresh, useFields } from './queries.ts'

type Change = InputOf<typeof contacts.update>['body']

/** A phone number without the signs people put between its digits. */
const bare = (phone: string) => phone.replace(/[\s()/.-]/g, '')

/** The fields of a contact, each edited where it stands. */
export function ContactDetails({ contact }: { contact: ContactProfile }) {
  const refresh = useContactsRefresh()
  const change = async (body: Change) => {
    await api(contacts.update, { params: { id: contact.id }, body })
    await refresh()
  }
  const defined = useFields().data?.items ?? []
  const names = sortFields(Object.keys(contact.attributes), defined)
  return (
    <Card title="Fields">
      <InlineField label="Name" value={contact.name} onSave={(name) => change({ name })} toMessage={errorMessage} />
      <InlineField
        label="Email"
        type="email"
        maxLength={320}
        value={contact.email ?? ''}
        onSave={(email) => change({ email: email || null })}
        toMessage={errorMessage}
      />
      <InlineField
        label="Phone"
        type="tel"
        maxLength={40}
        value={contact.phone ?? ''}
        onSave={(phone) => change({ phone: bare(phone) || null })}
        toMessage={errorMessage}
      />
      {names.map((name) => {
        const field = defined.find((one) => one.name === name)
        const value = contact.attributes[name] ?? null
        const text = value === null ? '' : String(value)
        const save = (typed: string) => change({ attributes: { [name]: toAttributeValue(typed, value) } })
        return field?.type === 'choice' || field?.type === 'boolean' ? (
          <FieldChoice key={name} field={field} value={text} onSave={save} />
        ) : (
          <InlineField
            key={name}
            label={labelField(name, defined)}
            type={field?.type === 'date' ? 'date' : 'text'}
            maxLength={5_000}
            value={text}
            onSave={save}
            toMessage={errorMessage}
          />
        )
      })}
      <NewField taken={names} onSave={(name, value) => change({ attributes: { [name]: value } })} />
    </Card>
  )
}

/** A custom field the contact does not have yet. */
function NewField({ taken, onSave }: { taken: string[]; onSave: (name: string, value: string) => Promise<unknown> }) {
  const known = useContactFields().data?.attributes ?? []
  const [typed, setTyped] = useState<{ name: string; value: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  if (!typed)
    return (
      <Button
        size="sm"
        kind="quiet"
        className="mt-1 -ml-2"
        icon={<Plus aria-hidden="true" className="size-3.5" />}
        onClick={() => setTyped({ name: '', value: '' })}
      >
        Add custom field
      </Button>
    )
  async function save(event: React.FormEvent) {
    event.preventDefault()
    if (!typed) return
    setBusy(true)
    setError(null)
    try {
      await onSave(typed.name.trim(), typed.value.trim())
      setTyped(null)
    } catch (cause) {
      setError(errorMessage(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={save} className="mt-2 space-y-2 border-t pt-3">
      <FormBanner error={error} />
      <datalist id="fields-in-use">
        {known
          .filter((name) => !taken.includes(name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
      <div className="flex gap-2">
        <Input
          aria-label="Field name"
          placeholder="Name"
          list="fields-in-use"
          maxLength={64}
          value={typed.name}
          autoFocus
          onChange={(event) => setTyped({ ...typed, name: event.target.value })}
        />
        <Input
          aria-label="Value"
          placeholder="Value"
          maxLength={5_000}
          value={typed.value}
          onChange={(event) => setTyped({ ...typed, value: event.target.value })}
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={() => setTyped(null)}>
          Cancel
        </Button>
        <Button size="sm" kind="primary" type="submit" busy={busy} disabled={!typed.name.trim() || !typed.value.trim()}>
          Add field
        </Button>
      </div>
    </form>
  )
}
