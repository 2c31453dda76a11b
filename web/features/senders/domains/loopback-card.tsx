import { Send } from 'lucide-react'
import { useState } from 'react'
import { isAtOrBelow } from '#contracts/email-address.ts'
import type { SendingDomain } from '#contracts/senders/domains.ts'
import type { LoopbackCheck, LoopbackResult } from '#contracts/senders/loopback.ts'
import type { Sender } from '#contracts/senders/senders.ts'
import { errorMessage } from '#web/api.ts'
import { Banner, FormBanner, type Tone } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatAgo } from '#web/ui/lib/format.ts'
import { useMailServers } from '../queries.ts'
import { fromLine, senderName } from '../sender-state.tsx'
import { ServerWords } from '../test-dialog.tsx'
import { LoopbackFacts } from './loopback-facts.tsx'
import { isAwaited, useLoopback, useLoopbackStart } from './queries.ts'

const TITLE = 'Send a real email and check it'

/** Whether a sender's From address is at or below a domain. */
function sendsFrom({ fromEmail }: Sender, domain: string): boolean {
  return isAtOrBelow(fromEmail.slice(fromEmail.lastIndexOf('@') + 1).toLowerCase(), domain)
}

/** Sends an email of a domain to this installation itself, and shows what a receiver finds in it. */
export function LoopbackCard({ domain }: { domain: SendingDomain }) {
  const { data, ...query } = useLoopback(domain.id)
  const { servers, ...senders } = useMailServers()
  const own = servers?.filter((sender) => sendsFrom(sender, domain.domain))
  return (
    <Card
      title={TITLE}
      description={`DNS alone does not show what arrives. This email leaves as a campaign’s does, and is checked here as a receiver checks it: DKIM, SPF, DMARC and encryption.${domain.sandbox ? ' In the sandbox it does not leave this machine.' : ''}`}
    >
      {query.isError && !data && (
        <ErrorState title="The check could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      )}
      {senders.isError && !servers && (
        <ErrorState title="The senders could not be loaded" error={senders.error} onRetry={() => senders.refetch()} />
      )}
      {!query.isError && !senders.isError && (!data || !own) && <Skeleton className="h-9 rounded-control" />}
      {data && own && (
        <div className="space-y-4">
          {data.host === null ? <NoListener /> : <Start domain={domain} senders={own} check={data.check} />}
          {data.check && <Result check={data.check} />}
        </div>
      )}
    </Card>
  )
}

const NoListener = () => (
  <Banner title="This installation does not listen for email">
    The operator sets BOUNCE_SMTP_PORT, and publishes an MX record that leads to this installation. Then such an email
    can arrive here.
  </Banner>
)

interface StartProps {
  domain: SendingDomain
  senders: Sender[]
  check: LoopbackCheck | null
}

function Start({ domain: { id, domain }, senders, check }: StartProps) {
  const start = useLoopbackStart(id)
  const [chosen, setChosen] = useState('')
  const [first] = senders
  if (!first)
    return (
      <Banner
        title={`No mail server sends from ${domain}`}
        action={
          <ButtonLink size="sm" to="/senders">
            View senders
          </ButtonLink>
        }
      >
        Change the From address of a sender to one at this domain.
      </Banner>
    )
  const senderId = senders.some((sender) => sender.id === chosen) ? chosen : first.id
  const isRunning = isAwaited(check)
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Sender" className="min-w-0 flex-1 basis-64">
          <Select value={senderId} disabled={isRunning} onChange={(event) => setChosen(event.target.value)}>
            {senders.map((sender) => (
              <option key={sender.id} value={sender.id}>
                {senderName(sender)}: {fromLine(sender)}
              </option>
            ))}
          </Select>
        </Field>
        <Button
          icon={<Send aria-hidden="true" className="size-4" />}
          busy={start.isPending || isRunning}
          onClick={() => start.mutate(senderId)}
        >
          {isRunning ? 'Waiting for the email' : 'Send and check'}
        </Button>
      </div>
      {start.isError && <FormBanner error={errorMessage(start.error)} />}
    </>
  )
}

const tones: Record<LoopbackResult['verdict'], Tone> = {
  pass: 'good',
  warning: 'attention',
  fail: 'harm',
  unknown: 'attention',
}

const stateTones: Record<LoopbackCheck['state'], Tone> = {
  sending: 'info',
  sent: 'info',
  arrived: 'good',
  failed: 'harm',
  expired: 'attention',
}

function Result({ check }: { check: LoopbackCheck }) {
  const { state, message, response, result, startedAt } = check
  return (
    <>
      <Banner role="status" tone={result ? tones[result.verdict] : stateTones[state]} title={message}>
        <p>
          From {check.from}, {formatAgo(startedAt)}.
          {isAwaited(check) && ' It usually takes seconds. After 15 minutes it is not awaited any more.'}
        </p>
        {state === 'expired' && response && <ServerWords text={response} />}
      </Banner>
      {result && <LoopbackFacts result={result} />}
    </>
  )
}
