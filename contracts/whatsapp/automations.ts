import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, GivenMoment, Id, IdParams, Line, Moment, Offset, PageOf, PageQuery } from '#contracts/values.ts'

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'is a time such as 09:00')

/** Opening hours: on these days (1 Monday to 7 Sunday) from one time to another, in an IANA time zone. */
export const Hours = z.strictObject({
  timeZone: z.string().max(64),
  /** inside: only within these hours; outside: only when none of them holds. */
  when: z.enum(['inside', 'outside']),
  spans: z
    .array(z.strictObject({ days: z.array(z.number().int().min(1).max(7)).min(1).max(7), from: Clock, to: Clock }))
    .min(1, 'must have at least one time span')
    .max(20),
})
export type Hours = z.infer<typeof Hours>

/** What must be true of the person's contact: all of them. */
export const Condition = z.strictObject({
  /** name, email, phone, a list (`list`, value is its id), or attributes.company. */
  field: z.string().min(1).max(80),
  is: z.enum(['equals', 'not_equals', 'contains', 'set', 'not_set']),
  value: z.string().max(500).default(''),
})

export const Question = z.strictObject({
  ask: z.string().trim().min(1, 'is required').max(1_024),
  /** Where the answer goes in the contact: name, email, or attributes.company. */
  field: z
    .string()
    .regex(/^(name|email|attributes\.[\p{L}\p{N}_ .-]{1,64})$/u, 'must be name, email or attributes. and a name'),
  expects: z.enum(['text', 'email', 'number', 'date', 'choice']).default('text'),
  /** Of a choice: shown as buttons, up to 3, or as a list, up to 10. */
  choices: z.array(z.string().trim().min(1).max(20)).max(10).default([]),
  /** Said when the answer does not fit; asked again at most twice. */
  retry: z.string().trim().max(1_024).default('That doesn’t look right. Please try again.'),
})

export const AutomationRules = z.strictObject({
  /** Of a keyword automation: any of these words. */
  keywords: z.array(Line(60).min(1)).max(50).default([]),
  /** word: the message holds it as a word; exact: it is the whole message; starts: it begins with it. */
  match: z.enum(['word', 'exact', 'starts']).default('word'),
  conditions: z.array(Condition).max(10).default([]),
  hours: Hours.nullable().default(null),
  /** What is said; {{ name | default: "there" }} and {{ attributes.x }} are filled. */
  reply: z.string().trim().max(4_096).default(''),
  buttons: z.array(z.string().trim().min(1).max(20)).max(3).default([]),
  questions: z.array(Question).max(20).default([]),
  /** Said after the last question. */
  thanks: z.string().trim().max(1_024).default(''),
  /** Nothing more is answered by itself: a person takes over. */
  handOver: z.boolean().default(false),
})
export type AutomationRules = z.infer<typeof AutomationRules>

const Kind = z.enum(['keyword', 'welcome', 'away', 'fallback'])

export const Automation = z.object({
  id: Id,
  accountId: Id,
  kind: Kind,
  name: z.string(),
  active: z.boolean(),
  place: z.number().int(),
  rules: AutomationRules,
  /** How often it answered in the last 30 days. */
  answered: z.number().int(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type Automation = z.infer<typeof Automation>

export const whatsappAutomations = {
  list: endpoint('GET /api/whatsapp/automations', 'user', {
    summary: 'List automations, in the order in which they are evaluated',
    query: PageQuery.extend({ cursor: Offset.optional(), accountId: Id.optional() }),
    response: PageOf(Automation),
  }),
  create: endpoint('POST /api/whatsapp/automations', 'user', {
    refusals: [404, 409],
    summary: 'Create an automation',
    status: 201,
    body: z.strictObject({
      accountId: Id,
      kind: Kind,
      name: Line(120).min(1, 'is required'),
      active: z.boolean().default(true),
      place: z.number().int().min(0).max(1_000).default(0),
      rules: AutomationRules,
    }),
    response: Automation,
  }),
  get: endpoint('GET /api/whatsapp/automations/:id', 'user', {
    summary: 'Get an automation',
    params: IdParams,
    response: Automation,
  }),
  update: endpoint('PATCH /api/whatsapp/automations/:id', 'user', {
    refusals: [409],
    summary: 'Update an automation; `rules` are replaced completely',
    params: IdParams,
    body: z.strictObject({
      name: Line(120).min(1).optional(),
      active: z.boolean().optional(),
      place: z.number().int().min(0).max(1_000).optional(),
      rules: AutomationRules.optional(),
    }),
    response: Automation,
  }),
  remove: endpoint('DELETE /api/whatsapp/automations/:id', 'user', {
    summary: 'Delete an automation; running flows end',
    params: IdParams,
    response: Empty,
  }),
  simulate: endpoint('POST /api/whatsapp/automations/simulate', 'user', {
    refusals: [404, 409],
    summary: 'Simulate automations step by step; nothing is sent or stored',
    body: z.strictObject({
      accountId: Id,
      /** What the person writes, in turn. */
      messages: z.array(z.string().trim().min(1).max(4_096)).min(1).max(50),
      /** When the first comes, now if omitted; each next one a minute later. */
      at: GivenMoment.optional(),
      contactId: Id.optional(),
    }),
    response: z.object({
      steps: z.array(
        z.object({
          from: z.enum(['person', 'automation']),
          text: z.string(),
          buttons: z.array(z.string()),
          automationId: Id.nullable(),
          automationName: z.string(),
          /** Why this answered, or why nothing did, in words. */
          why: z.string(),
        }),
      ),
      /** What the flow would write into the contact. */
      fields: z.record(z.string(), z.string()),
      handedOver: z.boolean(),
    }),
  }),
}
