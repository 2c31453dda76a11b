import type { Sender } from '#contracts/senders/senders.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

/** What is known of a sender: a message or test was accepted, the last one failed, nobody tried. */
export function SenderState({ sender }: { sender: Pick<Sender, 'state'> }) {
  if (sender.state === 'working')
    return (
      <Badge tone="good" shape="check">
        Verified
      </Badge>
    )
  if (sender.state === 'failing')
    return (
      <Badge tone="harm" shape="cross">
        Failing
      </Badge>
    )
  return <Badge shape="dashed">Not tested</Badge>
}

/** A sender's name for people: its own, or where it sends. */
export function senderName(sender: Sender): string {
  return sender.name || (sender.isDefault ? 'Default sender' : (sender.host ?? 'Sender'))
}

/** "Ada <ada@example.com>". */
export function fromLine(sender: Pick<Sender, 'fromName' | 'fromEmail'>): string {
  return sender.fromName ? `${sender.fromName} <${sender.fromEmail}>` : sender.fromEmail
}
