import { z } from 'zod'
import { Channel } from '#contracts/campaigns/campaign.ts'
import { Mapping } from '#contracts/contacts/imports.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { rowsFile } from '#contracts/form-file.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery, Search } from '#contracts/values.ts'

export const Suppression = z.object({
  id: Id,
  /** An email address, a phone number, or @ and a domain: every address of it. */
  address: z.string(),
  channel: z.enum(['email', 'whatsapp']),
  reason: z.enum(['unsubscribe', 'complaint', 'hard_bounce', 'soft_bounce', 'manual', 'import']),
  note: z.string(),
  /** The campaign that led to it; null: none did, or it was deleted. */
  campaign: z.object({ id: Id, name: z.string(), channel: Channel }).nullable(),
  at: Moment,
})
export type Suppression = z.infer<typeof Suppression>

export const suppressions = {
  list: endpoint('GET /api/suppressions', 'user', {
    summary: 'List suppressions',
    query: PageQuery.extend({ q: Search.optional() }),
    response: PageOf(Suppression),
  }),
  create: endpoint('POST /api/suppressions', 'user', {
    summary: 'Suppress an address, a phone number or a whole domain; idempotent',
    status: 201,
    body: z
      .strictObject({
        address: z.string().trim().min(3).max(320).optional(),
        /** Every address of it, also those that are added later. */
        domain: z.string().trim().min(1).max(253).optional(),
        phone: z.string().trim().min(3).max(40).optional(),
        channel: z.enum(['email', 'whatsapp']).default('email'),
        reason: z.enum(['manual', 'unsubscribe', 'complaint', 'hard_bounce']).default('manual'),
        note: Line(300).optional(),
      })
      .refine(
        ({ address, domain, phone }) => [address, domain, phone].filter((one) => one !== undefined).length === 1,
        {
          message: 'is required, or else domain or phone, and only one of them',
          path: ['address'],
        },
      )
      .meta({
        oneOf: [
          { properties: { channel: { const: 'email' }, address: { format: 'email' } }, required: ['address'] },
          {
            properties: { channel: { const: 'whatsapp' }, address: { pattern: '^[^@]*[0-9][^@]*$' } },
            required: ['channel', 'address'],
          },
          { properties: { domain: { pattern: '^[a-z0-9-]+\\.[a-z]{2,}$' } }, required: ['domain'] },
          { properties: { phone: { pattern: '^\\+[1-9][0-9]{6,14}$' } }, required: ['phone'] },
        ],
      }),
    rules:
      'Exactly one of address, domain and phone is given. A phone number is in E.164; spaces and other signs between its digits are ignored. Of a domain the reason is manual.',
    response: Suppression,
  }),
  get: endpoint('GET /api/suppressions/:id', 'user', {
    summary: 'Get a suppression',
    params: IdParams,
    response: Suppression,
  }),
  import: endpoint('POST /api/suppressions/import', 'user', {
    gives: { under: ['/api/imports'], pointer: '/importId' },
    summary: 'Suppress the addresses of a file in the background; its progress is the one of an import',
    rules: 'The mapping, given or guessed, maps a column to email or phone.',
    status: 202,
    form: z.strictObject({
      file: rowsFile('CSV or XLSX'),
      mapping: Mapping.optional(),
      reason: z
        .enum(['import', 'unsubscribe', 'complaint', 'hard_bounce'])
        .optional()
        .describe(
          'Why they are suppressed; unsubscribes and complaints cannot be removed again. import where it is omitted',
        ),
    }),
    response: z.object({ importId: Id }),
  }),
  export: endpoint('GET /api/suppressions/export', 'user', {
    types: ['text/csv'],
    summary: 'Export all suppressions as CSV',
    transport: 'file',
  }),
  remove: endpoint('DELETE /api/suppressions/:id', 'user', {
    refusals: [409],
    summary: 'Remove a suppression that was added manually or by a hard bounce; complaints and unsubscribes stay',
    params: IdParams,
    response: Empty,
  }),
}
