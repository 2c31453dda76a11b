import { PlanName } from '#contracts/accounts/accounts.ts'
import type { AuditAction, AuditLine, HealthLine, HealthState } from '#contracts/admin/admin.ts'
import { plural } from '#web/ui/lib/format.ts'

/** What happened, as the audit log says it. */
export const actionWords: Record<AuditAction, string> = {
  signed_up: 'Signed up',
  email_verified: 'Email confirmed',
  logged_in: 'Logged in',
  login_failed: 'Login failed',
  logged_out_everywhere: 'Logged out everywhere',
  session_ended: 'Session ended',
  password_changed: 'Password changed',
  password_reset: 'Password reset by email',
  google_linked: 'Google account linked',
  account_exported: 'Data exported',
  account_deleted: 'Account deleted',
  domain_added: 'Sending domain added',
  domain_changed: 'DKIM key created',
  domain_removed: 'Sending domain deleted',
  bounce_source_added: 'Bounce source added',
  bounce_source_changed: 'Bounce source changed',
  bounce_source_removed: 'Bounce source deleted',
  sender_added: 'Sender added',
  sender_changed: 'Sender changed',
  sender_removed: 'Sender removed',
  whatsapp_added: 'WhatsApp number connected',
  whatsapp_changed: 'WhatsApp number changed',
  whatsapp_removed: 'WhatsApp number disconnected',
  user_added: 'User added',
  user_renamed: 'User renamed',
  role_changed: 'Role changed',
  plan_changed: 'Plan changed',
  suspended: 'Suspended',
  unsuspended: 'Reactivated',
  marked_verified: 'Email confirmed by admin',
  marked_unverified: 'Confirmation revoked',
  sessions_ended: 'Logged out by admin',
  verification_sent: 'Confirmation email resent',
  audit_exported: 'Audit log exported',
  coupon_created: 'Coupon created',
  coupon_deactivated: 'Coupon deactivated',
  payment_refunded: 'Payment refunded',
  refund_failed: 'Refund failed',
  payment_disputed: 'Payment disputed',
  dispute_won: 'Dispute rejected',
  dispute_lost: 'Dispute accepted',
}

/** An action in words; one of another version stands as it is. */
export function formatAction(action: string): string {
  return (actionWords as Record<string, string>)[action] ?? action.replaceAll('_', ' ')
}

/** The name of a fact for people: "phoneNumberId" -> "phone number ID". */
const nameFact = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bid\b/, 'ID')

/** The small facts of a line, each with its name: [["Before", "free"], ["After", "pro"]]. What is empty is skipped. */
export function factList({ details }: Pick<AuditLine, 'details'>): [string, string][] {
  const { from, to, ...rest } = details
  return Object.entries({ from, to, ...rest })
    .filter(([, value]) => value !== undefined && value !== '' && value !== null && value !== false)
    .map(([name, value]) => [
      name === 'from' ? 'Before' : name === 'to' ? 'After' : capital(nameFact(name)),
      value === true
        ? 'yes'
        : Array.isArray(value)
          ? value.map((one) => (name === 'changed' ? nameFact(one) : one)).join(', ')
          : String(value),
    ])
}

/** The same in a few words: "free → pro", "3 sessions", "host: mail.example.com". Empty when there are none. */
export function formatDetails(line: Pick<AuditLine, 'details'>): string {
  const { from, to, changed, sessions } = line.details
  if (from !== undefined && to !== undefined) return `${from} → ${to}`
  if (Array.isArray(changed)) return changed.map(nameFact).join(', ')
  if (typeof sessions === 'number') return plural(sessions, 'session')
  return factList(line)
    .map(([name, value]) => (value === 'yes' ? lower(name) : `${lower(name)}: ${value}`))
    .join(' · ')
}

export const planOptions = PlanName.options.map((value) => ({ value, label: capital(value) }))

const lower = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)

/** "pro" -> "Pro". */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export const areaWords: Record<HealthLine['area'], string> = {
  database: 'Database',
  queue: 'Background work',
  mail: 'System email',
  sending: 'Campaigns',
  machine: 'Server and versions',
  channels: 'Channels',
}

export const stateWords: Record<HealthState, string> = {
  ok: 'OK',
  warning: 'Warning',
  bad: 'Critical',
  unknown: 'Unknown',
}

/** The first line of the health page. */
export function healthSentence(lines: Pick<HealthLine, 'state' | 'area' | 'name'>[]): string {
  const named = (state: HealthState) =>
    lines.filter((line) => line.state === state).map((line) => `${line.name} (${areaWords[line.area]})`)
  const [bad, warning] = [named('bad'), named('warning')]
  const said = [
    ...(bad.length > 0 ? [`Critical: ${bad.join(', ')}.`] : []),
    ...(warning.length > 0 ? [`Warning: ${warning.join(', ')}.`] : []),
  ]
  return said.join(' ') || 'All systems operational.'
}
