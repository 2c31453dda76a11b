import { z } from 'zod'

/** What the audit log tells of. A new security-relevant action gets a word here and one in web/features/admin/words.ts. */
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
])
export type AuditAction = z.infer<typeof AuditAction>
