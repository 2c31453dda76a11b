import { useState } from 'react'
import { EventName } from '#contracts/contacts/events.ts'
import type { JourneyDefinition, JourneyTrigger } from '#contracts/journeys/definition.ts'
import { FilterFields } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { triggerChoices } from '../../labels.ts'
import { CheckedInput } from './checked-input.tsx'
import { ListField, SegmentField, TagField } from './choice-fields.tsx'

const empty: { [K in JourneyTrigger['kind']]: Extract<JourneyTrigger, { kind: K }> } = {
  manual: { kind: 'manual' },
  joined_list: { kind: 'joined_list', listId: null },
  tagged: { kind: 'tagged', tagId: null },
  event: { kind: 'event', name: null },
  segment: { kind: 'segment', segmentId: null },
}

/** What a problem with the choice of a trigger is about. */
const chosenField: Record<JourneyTrigger['kind'], string> = {
  manual: '',
  joined_list: 'listId',
  tagged: 'tagId',
  event: 'name',
  segment: 'segmentId',
}

interface DefinitionFormProps {
  definition: JourneyDefinition
  errors: Partial<Record<string, string>>
  onChange: (changes: Partial<JourneyDefinition>, typing?: string) => void
}

/** What makes contacts enter, and which of them. */
export function TriggerForm({ definition, errors, onChange }: DefinitionFormProps) {
  const { trigger, entryFilter } = definition
  return (
    <div className="space-y-6">
      <RadioGroup
        legend="Contacts enter when one"
        cards
        options={triggerChoices}
        value={trigger.kind}
        onChange={(kind) => onChange({ trigger: empty[kind] })}
      />
      <TriggerChoice trigger={trigger} error={errors[chosenField[trigger.kind]]} onChange={onChange} />
      <OptionalFilter
        legend="Entry filter"
        hint="Only contacts who match enter. Checked once, when they would enter."
        add="Add an entry filter"
        remove="Remove the entry filter"
        filter={entryFilter}
        onChange={(next, typing) => onChange({ entryFilter: next }, typing)}
      />
    </div>
  )
}

interface TriggerChoiceProps {
  trigger: JourneyTrigger
  error: string | undefined
  onChange: DefinitionFormProps['onChange']
}

function TriggerChoice({ trigger, error, onChange }: TriggerChoiceProps) {
  switch (trigger.kind) {
    case 'joined_list':
      return (
        <ListField
          label="List"
          value={trigger.listId}
          error={error}
          onChange={(listId) => onChange({ trigger: { kind: 'joined_list', listId } })}
        />
      )
    case 'tagged':
      return (
        <TagField
          label="Tag"
          value={trigger.tagId}
          error={error}
          onChange={(tagId) => onChange({ trigger: { kind: 'tagged', tagId } })}
        />
      )
    case 'segment':
      return (
        <SegmentField
          label="Segment"
          value={trigger.segmentId}
          error={error}
          onChange={(segmentId) => onChange({ trigger: { kind: 'segment', segmentId } })}
        />
      )
    case 'event':
      return (
        <CheckedInput
          label="Event name"
          hint="As your website or app sends it to POST /api/events."
          placeholder="purchase"
          maxLength={64}
          value={trigger.name ?? ''}
          check={(text) =>
            EventName.safeParse(text).success ? undefined : 'Use letters, digits, spaces, _ . : and -, at most 64.'
          }
          onEnter={(name) => onChange({ trigger: { kind: 'event', name: name.trim() } }, 'event name')}
        />
      )
    case 'manual':
      return null
  }
}

/** The filter of contacts who have reached what the journey is for. */
export function GoalForm({ definition, onChange }: DefinitionFormProps) {
  return (
    <OptionalFilter
      legend="Goal"
      hint="Contacts who match leave, so that no one is asked to do what they already did. Checked before every step."
      add="Add a goal"
      remove="Remove the goal"
      filter={definition.goal}
      onChange={(goal, typing) => onChange({ goal }, typing)}
    />
  )
}

interface OptionalFilterProps {
  legend: string
  hint: string
  add: string
  remove: string
  filter: JourneyDefinition['goal']
  onChange: (filter: JourneyDefinition['goal'], typing?: string) => void
}

/** A filter that may be absent. One without conditions is not stored, because all contacts would match it. */
function OptionalFilter({ legend, hint, add, remove, filter, onChange }: OptionalFilterProps) {
  const [isOpen, setOpen] = useState(filter !== null)
  return (
    <section aria-label={legend} className="space-y-3">
      <div>
        <h3 className="text-sm font-medium text-ink">{legend}</h3>
        <p className="text-sm text-muted">{hint}</p>
      </div>
      {isOpen ? (
        <>
          <FilterFields
            filter={filter}
            onChange={(next) => onChange(next.items.length > 0 ? next : null, `${legend} filter`)}
          />
          <Button
            size="sm"
            kind="quiet"
            onClick={() => {
              setOpen(false)
              if (filter) onChange(null)
            }}
          >
            {remove}
          </Button>
        </>
      ) : (
        <Button size="sm" onClick={() => setOpen(true)}>
          {add}
        </Button>
      )}
    </section>
  )
}
