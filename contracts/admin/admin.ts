import { z } from 'zod'
import { PlanName, Role } from '#contracts/accounts/accounts.ts'
import { Invoice, PaymentReversal } from '#contracts/billing/billing.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { GivenMoment, Id, IdParams, Message, Moment, PageOf, PageQuery, Search } from '#contracts/values.ts'

/** What the audit log tells of. A new security-relevant action gets a word here and one in web/features/admin/labels.ts. */
export const AuditAction = z.enum([
  'signed_up',
  'email_verified',
  'logged_in',
  'login_failed',
  'logged_out_everywhere',
  'session_ended',
  'password_changed',
  'password_reset',
  'google_linked',
  'account_exported',
  'account_deleted',
  'sender_added',
  'sender_changed',
  'sender_removed',
  'domain_added',
  'domain_changed',
  'domain_removed',
  'bounce_source_added',
  'bounce_source_changed',
  'bounce_source_removed',
  'whatsapp_added',
  'whatsapp_changed',
  'whatsapp_removed',
  'user_added',
  'user_renamed',
  'role_changed',
  'plan_changed',
  'suspended',
  'unsuspended',
  'marked_verified',
  'marked_unverified',
  'sessions_ended',
  'verification_sent',
  'audit_exported',
  'coupon_created',
  'coupon_deactivated',
  'payment_refunded',
  'refund_failed',
  'payment_disputed',
  'dispute_won',
  'dispute_lost',
])
export type AuditAction = z.infer<typeof AuditAction>

const AdminUser = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  plan: z.string(),
  authProvider: z.enum(['credentials', 'google']),
  verified: z.boolean(),
  /** null while the account is open. */
  suspendedAt: Moment.nullable(),
  createdAt: Moment,
  /** The last sign-in or visit we know of; null when none is known any more. */
  lastSeenAt: Moment.nullable(),
})
export type AdminUser = z.infer<typeof AdminUser>

const AdminUserDetail = AdminUser.extend({
  workspace: z.object({ id: Id, name: z.string(), company: z.string() }),
  counts: z.object({
    contacts: z.number().int(),
    campaigns: z.number().int(),
    /** Messages a mail server took in the last 30 days. */
    sent30Days: z.number().int(),
  }),
  /** Where the plan comes from: set by hand with its end, or paid for; both null on the free plan. */
  planByHand: z.object({ until: Moment.nullable() }).nullable(),
  /** When a plan set by hand was set last, its end included; null without one. */
  planGrantedAt: Moment.nullable(),
  subscription: z.object({ plan: z.string(), status: z.string() }).nullable(),
  /** The refund or dispute that closed the paid plan; null when there is none. */
  planClosedBy: PaymentReversal.nullable(),
  sessions: z.array(z.object({ createdAt: Moment, lastSeenAt: Moment, device: z.string(), userAgent: z.string() })),
})
export type AdminUserDetail = z.infer<typeof AdminUserDetail>

const AuditLine = z.object({
  id: Id,
  at: Moment,
  /** One of AuditAction, or a word of an older version. */
  action: z.string(),
  /** Who did it; an empty name is an unknown caller, a name without an id something other than a user. */
  actor: z.object({ id: Id.nullable(), name: z.string() }),
  subject: z.object({ id: Id.nullable(), name: z.string() }),
  workspaceId: Id.nullable(),
  network: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditLine = z.infer<typeof AuditLine>

const AuditFilter = z.object({
  action: AuditAction.optional(),
  /** A user's id: what they did and what was done to them. */
  user: Id.optional(),
  /** A part of the address of a user who did it or to whom it was done. */
  q: Search.optional(),
  since: GivenMoment.optional(),
  until: GivenMoment.optional(),
})

export const HealthState = z.enum(['ok', 'warning', 'bad', 'unknown'])
export type HealthState = z.infer<typeof HealthState>

const HealthLine = z.object({
  area: z.enum(['database', 'queue', 'mail', 'sending', 'machine', 'channels']),
  name: z.string(),
  state: HealthState,
  /** What is so, for people. */
  text: z.string(),
  /** What to do about it; empty when there is nothing to do. */
  advice: z.string(),
})
export type HealthLine = z.infer<typeof HealthLine>

const JobCounts = z.object({
  name: z.string(),
  waiting: z.number().int(),
  active: z.number().int(),
  /** Planned for a later time. */
  later: z.number().int(),
  /** Given up in the last 24 hours. */
  failed: z.number().int(),
  /** How long the oldest one has been waiting; null when none waits. */
  oldestSeconds: z.number().nullable(),
})

const Revenue = z.object({
  currency: z.string(),
  /** Cents a month of everything that is paid regularly now, at list prices; trials are not in it. */
  recurring: z.number().int(),
  /** Cents paid in the last 30 days, and in the 30 before. */
  paid30Days: z.number().int(),
  paidBefore: z.number().int(),
  /** Cents that went back in the last 30 days: refunds, and disputes that are open or lost. */
  returned30Days: z.number().int(),
  subscriptions: z.object({
    active: z.number().int(),
    trialing: z.number().int(),
    pastDue: z.number().int(),
    /** Among them, those that end with their period. */
    ending: z.number().int(),
    /** Plans set by an admin. */
    byHand: z.number().int(),
  }),
  plans: z.array(z.object({ plan: z.string(), subscriptions: z.number().int(), recurring: z.number().int() })),
  /** Cents paid in each of the last twelve months (UTC), oldest first. */
  months: z.array(z.object({ month: z.string(), paid: z.number().int() })),
  latest: z.array(Invoice.extend({ who: z.string() })),
  /** The latest refunds and disputes. */
  reversals: z.array(PaymentReversal.extend({ who: z.string() })),
})
export type Revenue = z.infer<typeof Revenue>

export const admin = {
  users: endpoint('GET /api/admin/users', 'admin', {
    summary: 'List users, newest first; `q` searches names and addresses',
    query: PageQuery.extend({
      q: Search.optional(),
      role: Role.optional(),
      plan: PlanName.optional(),
      state: z.enum(['active', 'unverified', 'suspended']).optional(),
    }),
    response: PageOf(AdminUser),
  }),
  user: endpoint('GET /api/admin/users/:id', 'admin', {
    summary: 'Get a user with the counts of their workspace and their sessions',
    params: IdParams,
    response: AdminUserDetail,
  }),
  changeUser: endpoint('PATCH /api/admin/users/:id', 'admin', {
    refusals: [409],
    summary: 'Change role or plan, suspend or reactivate a user, or confirm their address',
    params: IdParams,
    body: z.strictObject({
      role: Role.optional(),
      plan: PlanName.optional(),
      /** Until when a plan set by hand counts; null is without an end. */
      planUntil: GivenMoment.nullable().optional(),
      suspended: z.boolean().optional(),
      verified: z.boolean().optional(),
    }),
    response: AdminUserDetail,
  }),
  endSessions: endpoint('DELETE /api/admin/users/:id/sessions', 'admin', {
    summary: 'End all sessions of a user; for your own account all but this one',
    params: IdParams,
    response: z.object({ ended: z.number().int() }),
  }),
  sendVerification: endpoint('POST /api/admin/users/:id/verification', 'admin', {
    refusals: [409, 429],
    summary: 'Resend the verification email',
    status: 202,
    params: IdParams,
    response: Message,
  }),
  health: endpoint('GET /api/admin/health', 'admin', {
    summary: 'Get the health of the installation: database, queue, email, sending, disk and memory',
    response: z.object({ at: Moment, state: HealthState, lines: z.array(HealthLine), jobs: z.array(JobCounts) }),
  }),
  revenue: endpoint('GET /api/admin/revenue', 'admin', {
    summary: 'Get revenue: recurring revenue, subscriptions by plan and state, payments of the last months',
    response: Revenue,
  }),
  audit: endpoint('GET /api/admin/audit', 'admin', {
    summary: 'List the audit log, newest first',
    query: PageQuery.extend(AuditFilter.shape),
    response: PageOf(AuditLine),
  }),
  exportAudit: endpoint('GET /api/admin/audit/export', 'admin', {
    types: ['text/csv'],
    summary: 'Export the audit log as CSV, with the same filters',
    query: AuditFilter,
    transport: 'file',
  }),
}
