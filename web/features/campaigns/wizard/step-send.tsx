import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { Exclusion } from '#contracts/campaigns/check.ts'
import { api, errorMessage } from '#web/api.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { fromLine, useSenders } from '#web/features/senders/index.ts'
import { TemplateThumbnail } from '#web/features/templates/index.ts'
import { storeResult } from '#web/query.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatBytes, plural } from '#web/ui/lib/format.ts'
import { instantInWords, ownZone } from '#web/ui/lib/zoned-time.ts'
import { useTemplates } from '#web/use-templates.ts'
import { describeExclusions } from '../audience/labels.ts'
import { describeAudience, useAudienceNames } from '../audience/names.ts'
import type { Channel } from '../channels/channel.ts'
import { useChannel } from '../channels/index.ts'
import { endInWords, startInWords } from '../forecast-labels.ts'
import { hoursInWords } from '../hours-labels.ts'
import { LinkTagsCard } from '../link-tags/link-tags-card.tsx'
import { useCheck } from '../queries.ts'
import { CheckProblems } from './check-problems.tsx'
import type { Draft } from './draft.ts'
import { HoursChoice } from './hours-fields.tsx'
import { type SendTime, WhenChoice, whenInstant } from './send-when.tsx'
import { StepFrame } from './step-frame.tsx'
import { TestEmail } from './test-email.tsx'
import type { StepId } from './wizard-steps.ts'

interface SendStepProps {
  draft: Draft
  goTo: (step: StepId) => void
  /** The campaign read back, and the test of it, where they are not an email's. */
  summary?: React.ComponentType<MessageSummaryProps>
  test?: React.ComponentType<{ id: string; draft: Draft }>
}

/** Send: the campaign read back like an email, what could hurt it, a test, and the button that holds the number. */
export function SendStep({ draft, goTo, summary: Shown = MessageSummary, test: Test = TestEmail }: SendStepProps) {
  const { id, query } = draft
  const channel = useChannel()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const check = useCheck(id, `${query.data?.updatedAt ?? ''}`)
  const [when, setWhen] = useState<SendTime>({ kind: 'now', date: '', time: '', zone: ownZone() })
  const instant = whenInstant(when)
  // What a step saves by itself, such as follow-ups: sent before, it would not be in the campaign.
  const isSaving = useIsMutating({ mutationKey: ['campaigns', id] }) > 0
  const send = useMutation({
    mutationFn: async () => {
      if (!(await draft.saving.flush())) throw new Error('Your last change could not be saved, so nothing was sent.')
      return api(campaigns.send, {
        params: { id },
        body: when.kind === 'now' ? {} : { at: instant?.at.toISOString(), timeZone: when.zone },
      })
    },
    onSuccess: (campaign) => {
      storeResult(queries, ['campaigns', id], campaign)
      void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
      void navigate(campaignLink(campaign))
    },
    // What stopped it is in the check now.
    onError: () => check.refetch(),
  })
  if (check.isError && !check.data)
    return (
      <ErrorState
        title="The campaign could not be checked"
        error={check.error}
        saved="Nothing was sent. Your draft is saved."
        onRetry={() => check.refetch()}
      />
    )
  const people = check.data?.recipients
  const words = people === undefined ? '…' : plural(people, 'person', 'people')
  const ready =
    check.data?.ok === true && (when.kind === 'now' || (instant !== undefined && instant.at.getTime() > Date.now()))
  return (
    <StepFrame title="Review and send" hint="Nothing has been sent yet.">
      <Shown
        draft={draft}
        end={when.kind === 'now' && check.data?.forecast ? endInWords(check.data.forecast, check.data.recipients) : ''}
        people={people === undefined ? undefined : words}
        excluded={check.data?.excluded ?? []}
        when={
          when.kind === 'now'
            ? startInWords(draft.choices.window, check.data?.forecast ?? null)
            : instant
              ? instantInWords(instant.at, when.zone)
              : 'Not chosen yet'
        }
      />
      {check.data ? (
        <CheckProblems problems={check.data.problems} templateId={draft.choices.templateId} goTo={goTo} />
      ) : (
        <Skeleton className="h-16" />
      )}
      {channel.hasLinkTags && check.data && <LinkTagsCard draft={draft} links={check.data.links} />}
      <Test id={id} draft={draft} />
      <WhenChoice when={when} onChange={setWhen} />
      {channel.hasHours && <HoursChoice draft={draft} />}
      {send.isError && <FormBanner error={errorMessage(send.error)} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="gradient"
          size="lg"
          busy={send.isPending}
          disabled={!ready || isSaving || check.isPlaceholderData}
          onClick={() => send.mutate()}
        >
          {when.kind === 'now' ? `Send to ${words}` : `Schedule for ${words}`}
        </Button>
        {check.data?.ok === false && <p className="text-base text-muted">Fix the required items before sending.</p>}
      </div>
      <p className="text-sm text-muted">
        {!query.data || isTracked(query.data, channel)
          ? 'You can pause or cancel while it’s sending. Messages already sent can’t be recalled.'
          : 'Opens and clicks will be unknown because tracking is off. You can pause or cancel at any time.'}
      </p>
    </StepFrame>
  )
}

/** Whether anything of what recipients do will be known, be it in total alone. */
const isTracked = (campaign: Campaign, { figures }: Channel) =>
  figures.some(({ count }) => count(campaign) !== null) ||
  (campaign.trackingMode === 'aggregate' && (campaign.trackOpens || campaign.trackClicks))

export interface MessageSummaryProps {
  draft: Draft
  /** "312 people"; undefined while they are counted. */
  people: string | undefined
  /** Who of the lists and segments gets nothing, and why. */
  excluded: Exclusion[]
  when: string
  /** A sentence on when it would be over, sent now; empty: not known, or a matter of minutes. */
  end: string
}

function MessageSummary({ draft: { choices, query }, people, excluded, when, end }: MessageSummaryProps) {
  const channel = useChannel()
  const { attachments: files = [], followUps = 0 } = query.data ?? {}
  const templates = useTemplates()
  const senders = useSenders()
  const template = templates.data?.items.find((one) => one.id === choices.templateId)
  const through = choices.senderIds.length > 0 ? choices.senderIds : [choices.senderId]
  const from = senders.data?.items.filter((one) => through.includes(one.id)) ?? []
  const names = useAudienceNames(choices)
  const line = (label: string, value: React.ReactNode) => (
    <div className="flex flex-col gap-x-4 sm:flex-row">
      <dt className="w-32 shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
    </div>
  )
  return (
    <div
      className={cx('grid gap-5 rounded-card border bg-surface p-5', template && 'sm:grid-cols-[minmax(0,1fr)_13rem]')}
    >
      <dl className="space-y-2.5 text-md">
        {line('Subject', choices.subject || template?.subject || 'No subject yet')}
        {choices.preheader && line('Preview text', choices.preheader)}
        {line(
          'To',
          people === undefined
            ? 'Counting…'
            : `${people}${names && names.to.length > 0 ? `, from ${describeAudience(names)}` : ''}`,
        )}
        {excluded.length > 0 && line('Skipped', describeExclusions(excluded))}
        {line(
          'From',
          from.length > 0
            ? from.map((one) => (
                <span key={one.id} className="block">
                  {fromLine({ ...one, fromName: choices.fromName || one.fromName })}
                </span>
              ))
            : 'No sender yet',
        )}
        {choices.replyTo && line('Reply-to', choices.replyTo)}
        {line('When', when)}
        {(choices.window || channel.steps.includes('hours')) && line('Hours', hoursInWords(choices))}
        {end && line('Forecast', end)}
        {followUps > 0 &&
          line(
            'Then',
            `${plural(followUps, 'follow-up')} in the same thread, to everyone who hasn’t replied or unsubscribed`,
          )}
        {files.length > 0 && line('Files', files.map((file) => `${file.name} (${formatBytes(file.size)})`).join(', '))}
        {line('Campaign name', choices.name)}
      </dl>
      {template && (
        <div className="hidden self-start overflow-hidden rounded-card border sm:block">
          <TemplateThumbnail id={template.id} version={template.updatedAt} />
        </div>
      )}
    </div>
  )
}
