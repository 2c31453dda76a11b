import type { CampaignState, MessageState } from '#contracts/campaigns.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

type Look = { tone: BadgeTone; shape: React.ComponentProps<typeof Badge>['shape']; word: string }

const campaignLooks: Record<CampaignState, Look> = {
  draft: { tone: 'neutral', shape: 'dashed', word: 'draft' },
  scheduled: { tone: 'accent', shape: 'clock', word: 'scheduled' },
  sending: { tone: 'accent', shape: 'running', word: 'sending' },
  paused: { tone: 'attention', shape: 'pause', word: 'paused' },
  sent: { tone: 'good', shape: 'check', word: 'sent' },
  cancelled: { tone: 'neutral', shape: 'minus', word: 'cancelled' },
  failed: { tone: 'harm', shape: 'cross', word: 'failed' },
}

const messageLooks: Record<MessageState, Look> = {
  queued: { tone: 'neutral', shape: 'clock', word: 'waiting' },
  sent: { tone: 'good', shape: 'check', word: 'sent' },
  deferred: { tone: 'attention', shape: 'clock', word: 'tried again later' },
  failed: { tone: 'harm', shape: 'cross', word: 'failed' },
  bounced: { tone: 'harm', shape: 'cross', word: 'bounced' },
  suppressed: { tone: 'neutral', shape: 'minus', word: 'left out' },
  unconfirmed: { tone: 'attention', shape: 'warning', word: 'outcome unknown' },
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

function Chip({ look }: { look: Look }) {
  return (
    <Badge tone={look.tone} shape={look.shape}>
      {look.word}
    </Badge>
  )
}

export const CampaignBadge = ({ state }: { state: CampaignState }) => <Chip look={campaignLooks[state]} />
export const MessageBadge = ({ state }: { state: MessageState }) => <Chip look={messageLooks[state]} />
