import type { SendingAccount } from '#server/features/senders/index.ts'

/** A Gmail account ready to send with. Without `smtp` it sends through Gmail's API. */
export interface GmailAccount extends SendingAccount {
  kind: 'gmail'
  /** null is without a limit. */
  perMinute: number | null
  /** Milliseconds until its pace has a free slot. */
  slotIn: number
  /** Its permission has ended. */
  revoked: boolean
  /** Why it sends nothing until a person allows it: its mail was refused too often; null: it may send. */
  blocked: string | null
}

/** Whether a sender is a Gmail account. */
export const isGmailAccount = (sender: SendingAccount): sender is GmailAccount => sender.kind === 'gmail'
