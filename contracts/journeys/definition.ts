import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { Attributes } from '#contracts/contacts/contacts.ts'
import { EventName } from '#contracts/contacts/events.ts'
import { ContactFilter } from '#contracts/contacts/filter.ts'
import { Id, Line } from '#contracts/values.ts'

/** Steps of a journey at most, those within branches included. */
export const MAX_STEPS = 100
/** Branches within one another at most. */
export const MAX_BRANCH_DEPTH = 8
/** The longest wait of one step. */
export const MAX_WAIT_DAYS = 365

/** Names a step within its journey: counts and contacts are found by it, whatever moves around it. */
const StepId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'has other characters than a-z, 0-9 and -')

/** What makes contacts enter. Everybody enters a journey once. In a draft null is what is not chosen yet: activate refuses it. */
export const JourneyTrigger = z.discriminatedUnion('kind', [
  /** Only who is enrolled enters. */
  z.strictObject({ kind: z.literal('manual') }),
  /** Becoming a confirmed member of a list, whatever the way. */
  z.strictObject({ kind: z.literal('joined_list'), listId: Id.nullable() }),
  z.strictObject({ kind: z.literal('tagged'), tagId: Id.nullable() }),
  /** An event of POST /api/events. */
  z.strictObject({ kind: z.literal('event'), name: EventName.nullable() }),
  /** Being in a segment, looked up every hour. Who is in it when the journey is activated enters too. */
  z.strictObject({ kind: z.literal('segment'), segmentId: Id.nullable() }),
])
export type JourneyTrigger = z.infer<typeof JourneyTrigger>

const step = <K extends string, T extends z.ZodRawShape>(kind: K, shape: T) =>
  z.strictObject({ id: StepId, kind: z.literal(kind), ...shape })

export const WaitUnit = z.enum(['minutes', 'hours', 'days'])
/** The longest wait in each unit. */
export const MAX_WAIT = { minutes: MAX_WAIT_DAYS * 24 * 60, hours: MAX_WAIT_DAYS * 24, days: MAX_WAIT_DAYS } as const

const Simple = [
  /** Sends an email, with a report of its own. What it needs (subject, template) is checked by activate. */
  step('email', {
    name: Line(120).min(1, 'is required'),
    subject: Line(300),
    preheader: Line(300).default(''),
    templateId: Id.nullable(),
    /** null: the default sender. */
    senderId: Id.nullable().default(null),
    fromName: Line(80).default(''),
    replyTo: Email.nullable().default(null),
  }),
  step('wait', {
    /** At most a year in all. */
    amount: z.number().int().min(1).max(MAX_WAIT.minutes),
    unit: WaitUnit,
  }),
  /** Null: not chosen yet, which activate refuses. */
  step('tag', { tagId: Id.nullable() }),
  step('untag', { tagId: Id.nullable() }),
  step('add_to_list', { listId: Id.nullable() }),
  step('remove_from_list', { listId: Id.nullable() }),
  /** A value of null empties a field; activate refuses a step without a field. */
  step('set_field', { attributes: Attributes }),
  /** Leaves the journey. */
  step('exit', {}),
] as const

const Branch = z.strictObject({
  id: StepId,
  kind: z.literal('branch'),
  /** Looked up at the moment a contact gets here. Without a condition it is not chosen yet, which activate refuses. */
  filter: ContactFilter,
  get yes() {
    return z.array(JourneyStep)
  },
  get no() {
    return z.array(JourneyStep)
  },
})

/** A step; after the last one of a branch a contact goes on with the step after the branch. */
export const JourneyStep = z.discriminatedUnion('kind', [...Simple, Branch])
export type JourneyStep = z.infer<typeof JourneyStep>

/** The JSON of a definition in characters at most. */
const MAX_SIZE = 200_000

type Path = (string | number)[]

/** Faults of the steps as a whole: too many, too deep, two of one name, or a wait that is too long. The server refuses what is nested much deeper before it is read. */
function findFaults(steps: JourneyStep[], fault: (path: Path, message: string) => void): void {
  const ids = new Set<string>()
  const walk = (some: JourneyStep[], path: Path, depth: number): void => {
    for (const [index, one] of some.entries()) {
      const at = [...path, index]
      if (ids.has(one.id)) fault([...at, 'id'], 'is the id of another step')
      ids.add(one.id)
      if (one.kind === 'wait' && one.amount > MAX_WAIT[one.unit])
        fault([...at, 'amount'], `is longer than ${MAX_WAIT_DAYS} days`)
      if (one.kind !== 'branch') continue
      if (depth >= MAX_BRANCH_DEPTH)
        fault(at, `is nested too deep: at most ${MAX_BRANCH_DEPTH} branches within one another`)
      walk(one.yes, [...at, 'yes'], depth + 1)
      walk(one.no, [...at, 'no'], depth + 1)
    }
  }
  walk(steps, ['steps'], 0)
  if (ids.size > MAX_STEPS) fault(['steps'], `must have at most ${MAX_STEPS} steps, those of branches included`)
}

/** What a journey does, as it is edited. References are checked when it is saved. */
export const JourneyDefinition = z
  .strictObject({
    trigger: JourneyTrigger,
    /** Only these contacts enter; null: all. */
    entryFilter: ContactFilter.nullable().default(null),
    /** Who matches leaves before the next step: the goal is reached. null: nobody. */
    goal: ContactFilter.nullable().default(null),
    steps: z.array(JourneyStep).max(MAX_STEPS),
  })
  .superRefine((definition, context) => {
    findFaults(definition.steps, (path, message) => context.addIssue({ code: 'custom', path, message }))
    if (JSON.stringify(definition).length > MAX_SIZE)
      context.addIssue({ code: 'custom', path: ['steps'], message: 'is too large: at most 200 KB' })
  })
  .meta({
    examples: [
      {
        trigger: { kind: 'joined_list', listId: '12' },
        entryFilter: null,
        goal: null,
        steps: [
          { id: 'pause', kind: 'wait', amount: 2, unit: 'days' },
          { id: 'welcomed', kind: 'tag', tagId: '7' },
        ],
      },
    ],
  })
export type JourneyDefinition = z.infer<typeof JourneyDefinition>
