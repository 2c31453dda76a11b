import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { ListDialog, TagDialog, useLists, useSegments, useTags } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'

interface ChoiceProps {
  label: string
  hint?: React.ReactNode
  value: string | null
  error?: string | undefined
  onChange: (id: string) => void
}

interface NamedChoiceProps extends ChoiceProps {
  query: { data: { items: { id: string; name: string }[] } | undefined; isError: boolean }
  aside: React.ReactNode
  /** "Choose a list" */
  none: string
}

function NamedChoice({ label, hint, value, error, onChange, query, aside, none }: NamedChoiceProps) {
  const items = query.data?.items ?? []
  const isGone = value !== null && query.data !== undefined && !items.some(({ id }) => id === value)
  return (
    <Field
      label={label}
      hint={hint}
      error={query.isError && !query.data ? 'The choices could not be loaded. Reload the page.' : error}
      aside={aside}
    >
      <Select value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="" disabled>
          {none}
        </option>
        {isGone && <option value={value}>Deleted</option>}
        {items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

const plus = <Plus aria-hidden="true" className="size-3.5" />

/** One of the workspace's lists, or a new one. */
export function ListField(props: ChoiceProps) {
  const [isMaking, setMaking] = useState(false)
  const make = (
    <Button size="sm" kind="quiet" icon={plus} onClick={() => setMaking(true)}>
      New list
    </Button>
  )
  return (
    <>
      <NamedChoice {...props} query={useLists()} none="Choose a list" aside={make} />
      {isMaking && (
        <ListDialog list={null} onCreated={({ id }) => props.onChange(id)} onClose={() => setMaking(false)} />
      )}
    </>
  )
}

/** One of the workspace's tags, or a new one. */
export function TagField(props: ChoiceProps) {
  const [isMaking, setMaking] = useState(false)
  const make = (
    <Button size="sm" kind="quiet" icon={plus} onClick={() => setMaking(true)}>
      New tag
    </Button>
  )
  return (
    <>
      <NamedChoice {...props} query={useTags()} none="Choose a tag" aside={make} />
      {isMaking && <TagDialog tag={null} onCreated={({ id }) => props.onChange(id)} onClose={() => setMaking(false)} />}
    </>
  )
}

/** One of the workspace's segments. */
export function SegmentField(props: ChoiceProps) {
  const make = (
    <Link to="/contacts/segments/new" className="text-accent-text hover:underline">
      New segment
    </Link>
  )
  return <NamedChoice {...props} query={useSegments()} none="Choose a segment" aside={make} />
}
