import { z } from 'zod'
import { isEmailAddress } from './email-address.ts'
import { endpoint } from './endpoint.ts'
import { Empty, Line, Message, Moment } from './values.ts'

export const Email = z
  .string()
  .trim()
  .max(254)
  .refine(isEmailAddress, 'is not an email address')
  .meta({ format: 'email' })
export const Password = z.string().min(10, 'must have at least 10 characters').max(200)
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
})
export type User = z.infer<typeof User>

const Token = z.object({ token: z.string() })

/** Why a sign-in with Google ended without a session, as /oauth2/redirect?error= says it. */
export const GoogleRefusal = z.enum([
  /** The person said no at the issuer. */
  'access_denied',
  /** The way there could not be begun, or the way back does not belong to it. */
  'google_auth_failed',
  /** The issuer did not answer, or what it said cannot be trusted. */
  'google_oauth_failed',
  /** Whoever the issuer named cannot be let in here. */
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
    summary: 'Sign up; the answer is the same whether or not the address is known',
    status: 202,
    body: z.strictObject({ name: Line(80).min(1, 'is required'), email: Email, password: Password }),
    answer: Message,
  }),
  verifyEmail: endpoint('POST /api/auth/verify-email', 'public', {
    summary: 'Confirm an e-mail address with the token of the verification mail; signs in',
    body: z.strictObject({
      token: z.string().min(1).max(200),
      /** Replaces the password of the sign-up. Without it the account has that of the sign-up the link was sent for. */
      password: Password.optional(),
    }),
    answer: Token,
  }),
  checkVerification: endpoint('POST /api/auth/check-verification', 'public', {
    summary: 'Whether the page behind a verification link has to ask for a password; changes nothing',
    body: z.strictObject({ token: z.string().min(1).max(200) }),
    /** `choosePassword`: several sign-ups were made with the address, and their emails look alike. */
    answer: z.object({ choosePassword: z.boolean() }),
  }),
  resendVerification: endpoint('POST /api/auth/resend-verification', 'public', {
    summary: 'Send the verification mail again; always the same answer',
    status: 202,
    body: z.strictObject({ email: Email }),
    answer: Message,
  }),
  login: endpoint('POST /api/auth/login', 'public', {
    summary: 'Sign in; a failure is plain text',
    body: z.strictObject({ email: z.string().max(254), password: z.string().max(200) }),
    answer: Token,
  }),
  logout: endpoint('POST /api/auth/logout', 'public', {
    summary: 'End this session, if there is one',
    answer: Message,
  }),
  forgotPassword: endpoint('POST /api/auth/forgot-password', 'public', {
    summary: 'Send a link to choose a new password; always the same answer',
    status: 202,
    body: z.strictObject({ email: Email }),
    answer: Message,
  }),
  resetPassword: endpoint('POST /api/auth/reset-password', 'public', {
    summary: 'Choose a new password with the token of the mail; ends every session',
    body: z.strictObject({ token: z.string().min(1).max(200), newPassword: Password }),
    answer: Message,
  }),
  google: endpoint('GET /api/auth/google', 'public', {
    summary: 'Sign in with Google: leads to the issuer, and back to /oauth2/redirect',
    status: 302,
    transport: 'redirect',
  }),
  googleCallback: endpoint('GET /api/auth/google/callback', 'public', {
    summary: 'Where the issuer leads back to; goes on to /oauth2/redirect with ?token= or ?error=',
    status: 302,
    transport: 'redirect',
  }),
  verifyToken: endpoint('POST /api/auth/verify-token', 'public', {
    summary: 'The user a token belongs to',
    body: z.strictObject({ token: z.string().min(1).max(4000) }),
    answer: z.object({ user: User }),
  }),
  user: endpoint('GET /api/auth/user', 'user', { summary: 'The signed-in user', answer: User }),
  update: endpoint('PATCH /api/account', 'user', {
    summary: 'Change name, company or postal address',
    body: z.strictObject({
      name: Line(80).min(1).optional(),
      company: Line(120).optional(),
      postalAddress: z.string().trim().max(500).optional(),
    }),
    answer: User,
  }),
  changePassword: endpoint('POST /api/account/password', 'user', {
    summary: 'Change the password; ends every other session',
    body: z.strictObject({ currentPassword: z.string().max(200), newPassword: Password }),
    answer: Token,
  }),
  sessions: endpoint('GET /api/account/sessions', 'user', {
    summary: 'Where you are signed in',
    answer: z.object({ items: z.array(Session), nextCursor: z.null() }),
  }),
  endSession: endpoint('DELETE /api/account/sessions/:id', 'user', {
    summary: 'Sign out one session',
    params: z.object({ id: z.string().max(64) }),
    answer: Empty,
  }),
  endSessions: endpoint('DELETE /api/account/sessions', 'user', {
    summary: 'Sign out everywhere, here too',
    answer: Empty,
  }),
  export: endpoint('GET /api/account/export', 'user', {
    summary: 'Everything of the user and the workspace as a ZIP archive of JSON files, without credentials',
    transport: 'file',
  }),
  exportLink: endpoint('POST /api/account/export/link', 'user', {
    summary: 'Let this browser download the archive from `url` for a minute: the answer sets a cookie for that address',
    answer: z.object({ url: z.string() }),
  }),
  exportFile: endpoint('GET /api/account/export/file', 'public', {
    summary: 'The archive for a browser that has just asked for the link',
    transport: 'file',
  }),
  remove: endpoint('DELETE /api/account', 'user', {
    summary: 'Delete the account and everything of its workspace; of suppressions keyed hashes are kept',
    body: z.strictObject({
      /** The account's own address, typed as a confirmation. */
      email: z.string().max(254),
      /** Needed where the account has one. */
      password: z.string().max(200).optional(),
    }),
    answer: Empty,
  }),
}
