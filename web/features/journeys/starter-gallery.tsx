import { useQueryClient } from '@tanstack/react-query'
import { FilePlus2, MailOpen, RotateCcw, Tag } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { segments } from '#contracts/contacts/segments.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { api, errorMessage } from '#web/api.ts'
import { useLists, useSegments, useTags } from '#web/features/contacts/index.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useStoreJourney } from './queries.ts'
import { inactiveSegment, type JourneyStarter, starters } from './starters.ts'

const icons = { welcome: MailOpen, reengage: RotateCcw, tag: Tag, blank: FilePlus2 }

/** Makes a draft of a starter and opens it. */
function useBegin() {
  const navigate = useNavigate()
  const store = useStoreJourney()
  return async ({ name, id, build }: JourneyStarter, chosen: string | null) => {
    const made = await api(journeys.create, {
      body: { name: id === 'blank' ? 'New journey' : name, definition: build(chosen) },
    })
    store(made)
    await navigate(`/journeys/${made.id}`)
  }
}

/** The journeys to begin with; one that asks for something first asks in a dialog. */
export function StarterGallery() {
  const begin = useBegin()
  const [asking, setAsking] = useState<JourneyStarter | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function choose(starter: JourneyStarter) {
    if (starter.asks) return setAsking(starter)
    setBusy(true)
    try {
      await begin(starter, null)
    } catch (error) {
      toast.error(errorMessage(error))
      setBusy(false)
    }
  }
  return (
    <>
      <ul className="grid gap-3 text-left sm:grid-cols-2">
        {starters.map((starter) => {
          const Icon = icons[starter.id]
          return (
            <li key={starter.id}>
              <button
                type="button"
                disabled={isBusy}
                onClick={() => void choose(starter)}
                className="flex h-full w-full gap-3.5 rounded-card border bg-surface p-4 text-left transition-colors hover:border-control disabled:opacity-60"
              >
                <span className="grid size-9 shrink-0 place-items-center rounded-control bg-accent-soft text-accent-text">
                  <Icon aria-hidden="true" className="size-4.5" />
                </span>
                <span className="min-w-0">
                  <span className="block text-base font-medium text-ink">{starter.name}</span>
                  <span className="mt-0.5 block text-sm text-muted">{starter.does}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {asking && <StarterDialog starter={asking} begin={begin} onClose={() => setAsking(null)} />}
    </>
  )
}

const questions = {
  list: { label: 'List', hint: 'Contacts who join it enter the journey.' },
  tag: { label: 'Tag', hint: 'Contacts who get it enter the journey.' },
  segment: { label: 'Segment', hint: 'Contacts who match it enter the journey.' },
}

const NEW_SEGMENT = 'new'

interface StarterDialogProps {
  starter: JourneyStarter
  begin: (starter: JourneyStarter, chosen: string | null) => Promise<void>
  onClose: () => void
}

/** Asks for the one thing a starter needs. Nothing chosen is fine too: the draft says what is missing. */
function StarterDialog({ starter, begin, onClose }: StarterDialogProps) {
  const queries = useQueryClient()
  const named = { list: useLists(), tag: useTags(), segment: useSegments() }
  const asks = starter.asks ?? 'list'
  const { label, hint } = questions[asks]
  const [chosen, setChosen] = useState(asks === 'segment' ? NEW_SEGMENT : '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  async function makeSegment(): Promise<string> {
    const known = named.segment.data?.items.find(({ name }) => name === inactiveSegment.name)
    if (known) return known.id
    const made = await api(segments.create, { body: inactiveSegment })
    await queries.invalidateQueries({ queryKey: ['segments'], exact: true })
    return made.id
  }
  async function submit() {
    setBusy(true)
    setError(null)
    try {
      await begin(starter, chosen === NEW_SEGMENT ? await makeSegment() : chosen || null)
    } catch (cause) {
      setError(errorMessage(cause))
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={starter.name}
      description="This makes a draft. No one enters until you activate it."
      size="sm"
      action="Create draft"
      busy={busy}
      error={error}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onClose={onClose}
    >
      <Field
        label={label}
        hint={
          chosen === NEW_SEGMENT
            ? 'Creates a segment of people who subscribed more than 90 days ago, got an email since and opened none.'
            : hint
        }
      >
        <Select value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {asks === 'segment' && <option value={NEW_SEGMENT}>{inactiveSegment.name}</option>}
          {named[asks].data?.items
            .filter(({ name }) => asks !== 'segment' || name !== inactiveSegment.name)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          <option value="">Choose later</option>
        </Select>
      </Field>
    </FormDialog>
  )
}
