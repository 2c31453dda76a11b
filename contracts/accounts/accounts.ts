import { z } from 'zod'
import { isEmailAddress } from '#contracts/email-address.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Line, ListOf, Message, Moment } from '#contracts/values.ts'

export const Email = z.string().trim().max(254).refine(isEmailAddress, 'is not an email address').meta({
  format: 'email',
  description: 'local@domain without quotes; the domain ends in a top-level domain. Spaces around it are cut',
})
export const Password = z
  .string()
  .min(10, 'must have at least 10 characters')
  .max(200)
  .describe('At least four different characters; not a common password, and not made of the name or the email address')
export const Role = z.enum(['user', 'admin'])
export const PlanName = z.enum(['free', 'starter', 'pro', 'business'])

export const User = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  currentPlan: z.string(),
  authProvider: z.enum(['credentials', 'google']),
  emailVerified: z.boolean(),
  /** Whether a password can be used; who signs in with Google only has none until one is set. */
  hasPassword: z.boolean(),
  company: z.string(),
  postalAddress: z.string(),
  /** How many campaign emails in seven days one contact gets at most; null: any number. */
  weeklyEmails: z.number().int().nullable(),
  /** IANA name, such as Europe/Berlin, in which times are shown and planned; null: that of the browser. */
  timeZone: z.string().nullable(),
})
export type User = z.infer<typeof User>

const TimeZone = z.string().max(64).describe('IANA name, such as Europe/Berlin')

const Token = z.object({ token: z.string() })

/** Why a sign-in with Google ended without a session, as /oauth2/redirect?error= says it. */
export const GoogleRefusal = z.enum([
  /** The person said no at the issuer. */
  'access_denied',
  /** The way there could not be begun, or the way back does not belong to it. */
  'google_auth_failed',
  /** The issuer did not respond, or what it said cannot be trusted. */
  'google_oauth_failed',
  /** The person the issuer named cannot be let in here. */
  'authentication_failed',
  'user_creation_failed',
  'token_generation_failed',
])
export type GoogleRefusal = z.infer<typeof GoogleRefusal>

export const Session = z.object({
  id: z.string(),
  createdAt: Moment,
  lastSeenAt: Moment,
  userAgent: z.string(),
  /** "Firefox on Linux"; "Unknown device" when the user agent does not tell. */
  device: z.string(),
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const accounts = {
  signup: endpoint('POST /api/auth/signup', 'public', {
    refusals: [429],
    summary: 'Sign up; the response is the same whether or not the address is known',
    status: 202,
    body: z.strictObject({ name: Line(80).min(1, 'is required'), email: Email, password: Password }),
    response: Message,
  }),
  verifyEmail: endpoint('POST /api/auth/verify-email', 'public', {
    refusals: [429],
    summary: 'Confirm an email address with the token of the verification email; signs in',
    body: z.strictObject({
      token: z.string().min(1).max(200),
      /** Replaces the password of the sign-up. Without it the account has that of the sign-up the link was sent for. */
      password: Password.optional(),
      /** The time zone of the browser, as a first guess; an unknown one is ignored. */
      timeZone: TimeZone.optional(),
    }),
    response: Token,
  }),
  checkVerification: endpoint('POST /api/auth/check-verification', 'public', {
    refusals: [429],
    summary: 'Check whether a verification link asks for a password; changes nothing',
    body: z.strictObject({ token: z.string().min(1).max(200) }),
    /** `choosePassword`: several sign-ups were made with the address, and their emails look alike. */
    response: z.object({ choosePassword: z.boolean() }),
  }),
  resendVerification: endpoint('POST /api/auth/resend-verification', 'public', {
    refusals: [429],
    summary: 'Resend the verification email; always the same response',
    status: 202,
    body: z.strictObject({ email: Email }),
    response: Message,
  }),
  login: endpoint('POST /api/auth/login', 'public', {
    refusals: [401, 403, 429],
    refusalsAre: 'text',
    summary: 'Log in; a failure is plain text',
    body: z.strictObject({ email: z.string().max(254), password: z.string().max(200) }),
    response: Token,
  }),
  logout: endpoint('POST /api/auth/logout', 'public', {
    refusals: [429],
    summary: 'Log out of this session, if there is one',
    response: Message,
  }),
  forgotPassword: endpoint('POST /api/auth/forgot-password', 'public', {
    refusals: [429],
    summary: 'Email a link to choose a new password; always the same response',
    status: 202,
    body: z.strictObject({ email: Email }),
    response: Message,
  }),
  resetPassword: endpoint('POST /api/auth/reset-password', 'public', {
    refusals: [429],
    summary: 'Choose a new password with the token of the email; ends every session',
    body: z.strictObject({ token: z.string().min(1).max(200), newPassword: Password }),
    response: Message,
  }),
  google: endpoint('GET /api/auth/google', 'public', {
    refusals: [429],
    summary: 'Log in with Google: redirects to the issuer, which returns to /oauth2/redirect',
    status: 302,
    transport: 'redirect',
  }),
  googleCallback: endpoint('GET /api/auth/google/callback', 'public', {
    refusals: [429],
    summary: 'The callback of the issuer; redirects to /oauth2/redirect with ?token= or ?error=',
    status: 302,
    transport: 'redirect',
  }),
  verifyToken: endpoint('POST /api/auth/verify-token', 'public', {
    refusals: [401, 429],
    summary: 'Get the user of a token',
    body: z.strictObject({ token: z.string().min(1).max(4000) }),
    response: z.object({ user: User }),
  }),
  user: endpoint('GET /api/auth/user', 'user', { summary: 'Get the signed-in user', response: User }),
  update: endpoint('PATCH /api/account', 'user', {
    summary: 'Change name, company, postal address, limit of emails a week to one contact, or time zone',
    body: z.strictObject({
      name: Line(80).min(1).optional(),
      company: Line(120).optional(),
      postalAddress: z.string().trim().max(500).optional(),
      weeklyEmails: z.number().int().min(1).max(50).nullable().optional(),
      timeZone: TimeZone.nullable().optional(),
    }),
    response: User,
  }),
  changePassword: endpoint('POST /api/account/password', 'user', {
    refusals: [429],
    summary: 'Change the password; ends every other session',
    body: z.strictObject({ currentPassword: z.string().max(200), newPassword: Password }),
    response: Token,
  }),
  sessions: endpoint('GET /api/account/sessions', 'user', {
    summary: 'List your sessions',
    response: ListOf(Session),
  }),
  endSession: endpoint('DELETE /api/account/sessions/:id', 'user', {
    summary: 'Log out of one session',
    params: z.object({ id: z.string().max(64) }),
    response: Empty,
  }),
  endSessions: endpoint('DELETE /api/account/sessions', 'user', {
    summary: 'Log out of every session, including this one',
    response: Empty,
  }),
  export: endpoint('GET /api/account/export', 'user', {
    refusals: [429],
    types: ['application/zip'],
    summary: 'Export all data of the user and the workspace as a ZIP archive of JSON files, without credentials',
    transport: 'file',
  }),
  exportLink: endpoint('POST /api/account/export/link', 'user', {
    summary: 'Let this browser download the archive from `url` for a minute: the response sets a cookie for that URL',
    response: z.object({ url: z.string() }),
  }),
  exportFile: endpoint('GET /api/account/export/file', 'public', {
    refusals: [401, 429],
    types: ['application/zip'],
    summary: 'Download the archive in a browser that has requested the link',
    transport: 'file',
  }),
  remove: endpoint('DELETE /api/account', 'user', {
    refusals: [409, 429],
    summary: 'Delete the account and all data of its workspace; keyed hashes of suppressions are retained',
    body: z.strictObject({
      /** The account's own address, typed as a confirmation. */
      email: z.string().max(254),
      /** Needed where the account has one. */
      password: z.string().max(200).optional(),
    }),
    response: Empty,
  }),
}
