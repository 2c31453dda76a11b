import type { AuditAction } from '#contracts/admin/admin.ts'
import type { ReversalState } from '#contracts/billing/billing.ts'
import { audit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { queueEmail } from '../emails.ts'
import { type Reversal, reversalState } from './reversals.ts'
import { findReversal, type ReversalChange } from './reversals-store.ts'

type Action = Extract<
  AuditAction,
  'payment_refunded' | 'refund_failed' | 'payment_disputed' | 'dispute_won' | 'dispute_lost'
>

/** What a refund or dispute means for the plan of its workspace. */
export interface Effect {
  /** The plan's title, such as "Pro". */
  plan: string
  /** The one that closes the plan now. */
  closing: Reversal | undefined
  /** The plan was closed before and is open again; another email says so. */
  isOpenAgain: boolean
}

/** What happened by a change, or undefined when it is nothing new for people: an inquiry, a refund that arrived. */
function findAction({ reversal, before }: ReversalChange): Action | undefined {
  const now = reversalState(reversal)
  const isFrom = (...states: (ReversalState | undefined)[]) => states.includes(before)
  if (now === 'pending' || now === 'refunded') return isFrom(undefined, 'failed') ? 'payment_refunded' : undefined
  if (now === 'failed') return isFrom('pending', 'refunded') ? 'refund_failed' : undefined
  if (now === 'open') return isFrom(undefined, 'inquiry', 'won') ? 'payment_disputed' : undefined
  if (now === 'won') return isFrom('open', 'lost') ? 'dispute_won' : undefined
  return now === 'lost' ? 'dispute_lost' : undefined
}

const RETAINED = 'Your contacts, templates and reports are still here.'

function buildReversalEmail(
  action: Action,
  amount: string,
  invoice: string,
  { plan, isClosing }: { plan: string; isClosing: boolean },
) {
  const emails: Record<Action, { subject: string; text: string }> = {
    payment_refunded: {
      subject: `Your payment of ${amount} was refunded`,
      text: `${amount}${invoice} was refunded to your card. It can take up to ten days to appear on your statement. ${
        isClosing
          ? `Your ${plan} plan has ended with it. ${RETAINED} You can choose a plan again at any time.`
          : 'Your plan does not change.'
      }`,
    },
    refund_failed: {
      subject: 'A refund failed',
      text: `Your bank returned the refund of ${amount}${invoice}. Contact support to get it another way.`,
    },
    payment_disputed: {
      subject: `Your payment of ${amount} is disputed`,
      text: `Your bank disputes the payment of ${amount}${invoice}.${
        isClosing
          ? ` Your ${plan} plan is closed until the bank decides. ${RETAINED} If the dispute is a mistake, ask your bank to withdraw it. Your plan is then active again.`
          : ''
      }`,
    },
    dispute_won: {
      subject: 'The dispute was rejected',
      text: `Your bank rejected the dispute of ${amount}${invoice}. The payment stands.`,
    },
    dispute_lost: {
      subject: 'The disputed payment was returned',
      text: `Your bank accepted the dispute of ${amount}${invoice} and returned the payment.${
        isClosing ? ` Your ${plan} plan has ended. ${RETAINED} You can choose a plan again at any time.` : ''
      }`,
    },
  }
  return emails[action]
}

/** Writes changes of refunds and disputes to the audit log and queues an email about each, in the sync's transaction. */
export async function reportReversals(
  services: Services,
  db: Db,
  workspaceId: string,
  changes: ReversalChange[],
  effect: Effect,
): Promise<void> {
  for (const change of changes) {
    const action = findAction(change)
    const stored = action && (await findReversal(db, workspaceId, change.reversal.id))
    if (!action || !stored) continue
    const number = stored.invoice?.number ?? ''
    const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: stored.currency })
    const amount = money.format(stored.amount / 100)
    await audit(db, {
      action,
      actor: 'payments',
      subject: await firstUser(db, workspaceId),
      workspaceId,
      details: { amount, invoice: number, reason: stored.reason, status: change.reversal.status },
    })
    if (effect.isOpenAgain && (action === 'refund_failed' || action === 'dispute_won')) continue
    const isClosing = effect.closing?.id === stored.id
    const email = buildReversalEmail(action, amount, number && ` for invoice ${number}`, {
      plan: effect.plan,
      isClosing,
    })
    await queueEmail(services, db, workspaceId, email)
  }
}

async function firstUser(db: Db, workspaceId: string): Promise<{ id: string; email: string } | string> {
  const query = db.selectFrom('users').where('workspaceId', '=', workspaceId).select(['id', 'email']).orderBy('id')
  return (await query.limit(1).executeTakeFirst()) ?? ''
}
