import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { contactMerges, UNDO_DAYS } from '#contracts/contacts/merges.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { labelField } from '../fields/labels.ts'
import { useContacts, useContactsRefresh, useFields } from '../queries.ts'
import { combineFields } from './combined.ts'

const SHOWN = 6

const labelContact = ({ name, email, phone }: Contact) => name || email || phone || 'Contact'

/** Chooses the other contact, shows what stays of both, and merges them. */
export function MergeDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const navigate = useNavigate()
  const refresh = useContactsRefresh()
  const [other, setOther] = useState<Contact | null>(null)
  // Which of the two stays.
  const [swapped, setSwapped] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [kept, gone] = swapped && other ? [other, contact] : [contact, other]
  async function submit() {
    if (!gone) return
    setBusy(true)
    setError(null)
    try {
      await api(contactMerges.merge, { params: { id: kept.id }, body: { otherId: gone.id } })
      toast.success('Contacts merged')
      onClose()
      if (kept.id !== contact.id) await navigate(`/contacts/${kept.id}`)
      await refresh()
    } catch (cause) {
      setError(errorMessage(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title="Merge contacts"
      description={`Lists, tags, messages and conversations of both go to the one that stays. You can undo it for ${UNDO_DAYS} days.`}
      size="lg"
      action="Merge contacts"
      busy={busy}
      disabled={!gone}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      {gone && other ? (
        <Comparison kept={kept} gone={gone} onSwap={() => setSwapped(!swapped)} onChange={() => setOther(null)} />
      ) : (
        <OtherChoice contact={contact} onChoose={setOther} />
      )}
    </FormDialog>
  )
}

function OtherChoice({ contact, onChoose }: { contact: Contact; onChoose: (other: Contact) => void }) {
  const [text, setText] = useState('')
  const found = useContacts({ q: useDebounced(text.trim()) || undefined, limit: 20 })
  const people = found.data?.items.filter(({ id, source }) => id !== contact.id && source !== 'sample') ?? []
  return (
    <div>
      <Field label={`Contact to merge with ${labelContact(contact)}`}>
        <Input
          type="search"
          autoComplete="off"
          autoFocus
          placeholder="Name, email or phone"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <ul aria-label="Contacts found" className="mt-2 divide-y overflow-hidden rounded-control border empty:hidden">
        {people.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <button
              type="button"
              onClick={() => onChoose(one)}
              className="flex w-full items-baseline justify-between gap-3 px-3 py-2 text-left text-base text-ink hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 truncate">{labelContact(one)}</span>
              <span className="min-w-0 truncate text-sm text-muted">{one.email ?? one.phone}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.data && people.length === 0 && <p className="mt-2 text-sm text-muted">No other contact found.</p>}
    </div>
  )
}

interface ComparisonProps {
  kept: Contact
  gone: Contact
  onSwap: () => void
  onChange: () => void
}

const BUILT_IN: Record<string, string> = { email: 'Email', phone: 'Phone', name: 'Name' }

function Comparison({ kept, gone, onSwap, onChange }: ComparisonProps) {
  const defined = useFields().data?.items ?? []
  const label = (field: string) => BUILT_IN[field] ?? labelField(field.replace(/^attributes\./, ''), defined)
  const rows = combineFields(kept, gone)
  const conflicts = rows.filter(({ isConflict }) => isConflict).length
  return (
    <div className="space-y-3">
      <div className="overflow-x-auto rounded-control border">
        <table className="w-full text-base">
          <thead>
            <tr className="border-b text-left text-sm text-muted">
              <th scope="col" className="px-3 py-2 font-medium">
                Field
              </th>
              <th scope="col" className="px-3 py-2 font-medium">
                Stays
              </th>
              <th scope="col" className="px-3 py-2 font-medium">
                Merged into it
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, kept, other, isConflict }) => (
              <tr key={field} className="border-b last:border-0">
                <th scope="row" className="px-3 py-2 text-left text-sm font-normal text-muted">
                  {label(field)}
                </th>
                <td className={cx('px-3 py-2 wrap-anywhere', kept ? 'text-ink' : 'text-muted')}>{kept || '-'}</td>
                <td
                  className={cx(
                    'px-3 py-2 wrap-anywhere',
                    isConflict ? 'text-muted line-through' : kept ? 'text-muted' : 'text-ink',
                  )}
                >
                  {other || '-'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-sm text-muted">
        {conflicts === 0
          ? 'No field has two different values.'
          : 'Values that are struck out go. Change which contact stays to keep them instead.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon={<ArrowLeftRight aria-hidden="true" className="size-3.5" />} onClick={onSwap}>
          Change which stays
        </Button>
        <Button size="sm" kind="quiet" onClick={onChange}>
          Choose another contact
        </Button>
      </div>
    </div>
  )
}
