import type { CampaignMessage, CampaignState, MessageState } from '#contracts/campaigns/campaign.ts'
import { Badge, type BadgeTone } from '#web/ui/feedback/badge.tsx'
import { shownState } from './report/labels.ts'

type StateLook = { tone: BadgeTone; shape: React.ComponentProps<typeof Badge>['shape']; word: string }

const campaignLooks: Record<CampaignState, StateLook> = {
  draft: { tone: 'neutral', shape: 'dashed', word: 'Draft' },
  scheduled: { tone: 'accent', shape: 'clock', word: 'Scheduled' },
  sending: { tone: 'accent', shape: 'running', word: 'Sending' },
  paused: { tone: 'attention', shape: 'pause', word: 'Paused' },
  sent: { tone: 'good', shape: 'check', word: 'Sent' },
  cancelled: { tone: 'neutral', shape: 'minus', word: 'Canceled' },
  failed: { tone: 'harm', shape: 'cross', word: 'Failed' },
}

const messageLooks: Record<MessageState, StateLook> = {
  queued: { tone: 'neutral', shape: 'clock', word: 'Queued' },
  sent: { tone: 'good', shape: 'check', word: 'Sent' },
  deferred: { tone: 'attention', shape: 'clock', word: 'Deferred' },
  failed: { tone: 'harm', shape: 'cross', word: 'Failed' },
  bounced: { tone: 'harm', shape: 'cross', word: 'Bounced' },
  suppressed: { tone: 'neutral', shape: 'minus', word: 'Suppressed' },
  unconfirmed: { tone: 'attention', shape: 'warning', word: 'Unconfirmed' },
}

/** The states in the order people ask for them, in words. */
export const campaignStates = Object.entries(campaignLooks).map(([value, look]) => ({
  value: value as CampaignState,
  label: look.word,
}))
export const messageStates = Object.entries(messageLooks).map(([value, look]) => ({
  value: value as MessageState,
  label: look.word,
}))

function Chip({ look }: { look: StateLook }) {
  return (
    <Badge tone={look.tone} shape={look.shape}>
      {look.word}
    </Badge>
  )
}

export const CampaignBadge = ({ state }: { state: CampaignState }) => <Chip look={campaignLooks[state]} />
export const MessageBadge = (message: Pick<CampaignMessage, 'state' | 'reason'>) => (
  <Chip look={messageLooks[shownState(message)]} />
)
