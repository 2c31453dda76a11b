import type { Sender } from '#contracts/senders/senders.ts'
import { formatMoment, formatNumber } from '#web/ui/lib/format.ts'
import { labelReceiver } from './labels.ts'

/** What receivers say of a sender: those that refuse it, those that asked for less, and the limits that are set. */
export function ReceiverStates({ sender }: { sender: Sender }) {
  return (
    <>
      {sender.pausedReceivers.map(({ receiver, until, response, fix }) => (
        <p key={receiver} className="mt-3 text-sm wrap-anywhere text-text">
          {labelReceiver(receiver)} refuses this sender: nothing is sent there until {formatMoment(until)}.{' '}
          <span className="text-muted">{response}</span>
          {fix && ` ${fix} To try sooner, check the domain, or pause a campaign that waits and resume it.`}
        </p>
      ))}
      {sender.slowedReceivers.map(({ receiver, perHour, usual, until, response }) => (
        <p key={receiver} className="mt-3 text-sm wrap-anywhere text-text">
          {labelReceiver(receiver)} asked us to slow down: {formatNumber(perHour)} an hour, back to{' '}
          {formatNumber(usual)} at {formatMoment(until)}. <span className="text-muted">{response}</span>
        </p>
      ))}
    </>
  )
}

/** The limits of receivers in a line: "Google: 1,000 an hour, 2 at once". */
export function labelReceiverLimits(limits: Sender['receiverLimits']): string {
  return limits
    .map(({ receiver, connections, perSecond, perHour }) => {
      const parts = [
        perHour !== null && `${formatNumber(perHour)} an hour`,
        perSecond !== null && `${formatNumber(perSecond)} a second`,
        connections !== null && `${formatNumber(connections)} at once`,
      ]
      return `${labelReceiver(receiver)}: ${parts.filter(Boolean).join(', ')}`
    })
    .join('; ')
}
