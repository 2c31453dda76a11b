import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { LeftOut } from '#contracts/campaign-check.ts'
import { campaigns } from '#contracts/campaigns.ts'
import { api, messageOf } from '#web/api.ts'
import { useLists } from '#web/features/contacts/index.ts'
import { fromLine, useSenders } from '#web/features/senders/index.ts'
import { TemplateThumbnail, useTemplates } from '#web/features/templates/index.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatBytes, plural } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { instantInWords, ownZone } from '#web/ui/zoned-time.ts'
import { campaignPlace, useChannel } from './channels.ts'
import { CheckProblems } from './check-problems.tsx'
import type { Draft } from './draft.ts'
import { endInWords } from './forecast-words.ts'
import { hoursInWords } from './hours-words.ts'
import { useCheck } from './queries.ts'
import { type When, WhenChoice, whenInstant } from './send-when.tsx'
import { StepFrame } from './step-frame.tsx'
import { TestMail } from './test-mail.tsx'
import type { StepId } from './wizard-steps.ts'

interface SendStepProps {
  draft: Draft
  goTo: (step: StepId) => void
  /** The campaign read back, and the test of it, where they are not a letter's. */
  letter?: React.ComponentType<LetterProps>
  test?: React.ComponentType<{ id: string; draft: Draft }>
}

/** Send: the campaign read back like a letter, what could hurt it, a test, and the button that holds the number. */
export function SendStep({ draft, goTo, letter: Shown = Letter, test: Test = TestMail }: SendStepProps) {
  const { id, answers, query } = draft
  const queries = useQueryClient()
  const navigate = useNavigate()
  const check = useCheck(id, `${query.data?.updatedAt ?? ''}`)
  const [when, setWhen] = useState<When>({ kind: 'now', date: '', time: '', zone: ownZone() })
  const instant = whenInstant(when)
  const send = useMutation({
    mutationFn: async () => {
      if (!(await draft.saving.flush())) throw new Error('The last answer could not be saved, so nothing was sent.')
      return api(campaigns.send, {
        params: { id },
        body: when.kind === 'now' ? {} : { at: instant?.at.toISOString(), timeZone: when.zone },
      })
    },
    onSuccess: (campaign) => {
      queries.setQueryData(['campaigns', id], campaign)
      void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
      void navigate(campaignPlace(campaign))
    },
    // What stopped it is in the check now.
    onError: () => check.refetch(),
  })
  if (check.isError && !check.data)
    return (
      <ErrorState
        title="The campaign could not be checked"
        error={check.error}
        kept="Nothing was sent; the draft is kept."
        onRetry={() => check.refetch()}
      />
    )
  const people = check.data?.recipients
  const words = people === undefined ? '…' : plural(people, 'person', 'people')
  const ready =
    check.data?.ok === true && (when.kind === 'now' || (instant !== undefined && instant.at.getTime() > Date.now()))
  return (
    <StepFrame title="Read it once more" hint="Nothing has left yet.">
      <Shown
        draft={draft}
        until={
          when.kind === 'now' && check.data?.forecast ? endInWords(check.data.forecast, check.data.recipients) : ''
        }
        people={people === undefined ? undefined : words}
        leftOut={check.data?.leftOut ?? []}
        when={
          when.kind === 'now'
            ? 'As soon as you press the button'
            : instant
              ? instantInWords(instant.at, when.zone)
              : 'Not chosen yet'
        }
      />
      {check.data ? <CheckProblems problems={check.data.problems} goTo={goTo} /> : <Skeleton className="h-16" />}
      <Test id={id} draft={draft} />
      <WhenChoice when={when} onChange={setWhen} />
      {send.isError && <FormBanner error={messageOf(send.error)} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="gradient"
          size="lg"
          busy={send.isPending}
          disabled={!ready || check.isPlaceholderData}
          onClick={() => send.mutate()}
        >
          {when.kind === 'now' ? `Send to ${words}` : `Schedule for ${words}`}
        </Button>
        {check.data?.ok === false && <p className="text-base text-muted">First mend what is marked as stopping it.</p>}
      </div>
      <p className="text-sm text-muted">
        {answers.trackOpens || answers.trackClicks
          ? 'You can pause or cancel at any time; what has left stays sent.'
          : 'Opens and clicks will be unknown: counting is off. You can pause or cancel at any time.'}
      </p>
    </StepFrame>
  )
}

export interface LetterProps {
  draft: Draft
  /** "312 people"; undefined while they are counted. */
  people: string | undefined
  /** WhatsApp: who on the lists gets nothing, and why. */
  leftOut: LeftOut[]
  when: string
  /** When it would be over, sent now; empty: not known, or a matter of minutes. */
  until: string
}

function Letter({ draft: { answers, query }, people, when, until }: LetterProps) {
  const channel = useChannel()
  const { attachments: files = [], followUps = 0 } = query.data ?? {}
  const templates = useTemplates()
  const lists = useLists()
  const senders = useSenders()
  const template = templates.data?.items.find((one) => one.id === answers.templateId)
  const through = answers.senderIds.length > 0 ? answers.senderIds : [answers.senderId]
  const from = senders.data?.items.filter((one) => through.includes(one.id)) ?? []
  const names = lists.data?.items.filter((list) => answers.listIds.includes(list.id)).map((list) => list.name) ?? []
  const line = (label: string, value: React.ReactNode) => (
    <div className="flex flex-col gap-x-4 sm:flex-row">
      <dt className="w-24 shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
    </div>
  )
  return (
    <div
      className={cx('grid gap-5 rounded-card border bg-surface p-5', template && 'sm:grid-cols-[minmax(0,1fr)_13rem]')}
    >
      <dl className="space-y-2.5 text-md">
        {line('What', answers.subject || template?.subject || 'no subject yet')}
        {line(
          'To',
          people === undefined ? 'counting…' : `${people}${names.length > 0 ? `, from ${names.join(' and ')}` : ''}`,
        )}
        {line(
          'From',
          from.length > 0
            ? from.map((one) => (
                <span key={one.id} className="block">
                  {fromLine(one)}
                </span>
              ))
            : 'nobody yet',
        )}
        {line('When', when)}
        {channel.steps.includes('hours') && line('Hours', hoursInWords(answers))}
        {until && line('Until', until)}
        {followUps > 0 && line('Then', `${plural(followUps, 'follow-up')} in the same thread, to whom nothing stopped`)}
        {files.length > 0 && line('Files', files.map((file) => `${file.name} (${formatBytes(file.size)})`).join(', '))}
        {line('Named', answers.name)}
      </dl>
      {template && (
        <div className="hidden overflow-hidden rounded-card border sm:block">
          <TemplateThumbnail id={template.id} version={template.updatedAt} />
        </div>
      )}
    </div>
  )
}
