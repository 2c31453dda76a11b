import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api, errorMessage } from '#web/api.ts'
import { ServerWords, useSenders } from '#web/features/senders/index.ts'
import { useUser } from '#web/session/queries.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import type { Draft } from './draft.ts'

/** One real message of the campaign to one address; it says [Test] in its subject and counts nowhere. */
export function TestEmail({ id, draft }: { id: string; draft: Draft }) {
  const user = useUser()
  const [to, setTo] = useState(user.data?.email ?? '')
  const [step, setStep] = useState(1)
  const [through, setThrough] = useState('')
  const { senderIds } = draft.choices
  const followUps = draft.query.data?.followUps ?? 0
  const senderId = senderIds.includes(through) ? through : undefined
  const test = useMutation({
    mutationFn: () => api(campaigns.test, { params: { id }, body: { to: to.trim(), step, senderId } }),
  })
  return (
    <form
      noValidate
      className="max-w-xl space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate()
      }}
    >
      {(followUps > 0 || senderIds.length > 1) && (
        <div className="grid gap-3 sm:grid-cols-2">
          {followUps > 0 && <StepChoice followUps={followUps} step={step} onChange={setStep} />}
          {senderIds.length > 1 && (
            <AccountChoice senderIds={senderIds} senderId={senderId ?? senderIds[0]} onChange={setThrough} />
          )}
        </div>
      )}
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Send yourself a test" className="min-w-0 flex-1 basis-56">
          <Input type="email" autoComplete="email" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        <Button type="submit" busy={test.isPending} disabled={to.trim() === ''}>
          Send test
        </Button>
      </div>
      {test.isError && (
        <Banner tone="harm" role="alert">
          {errorMessage(test.error)}
        </Banner>
      )}
      {test.data && (
        <Banner tone={test.data.ok ? 'good' : 'harm'} role="status" title={test.data.message}>
          {test.data.response && <ServerWords text={test.data.response} />}
        </Banner>
      )}
    </form>
  )
}

/** The first email or one of its follow-ups; the test says in its subject which it is. */
function StepChoice({
  followUps,
  step,
  onChange,
}: {
  followUps: number
  step: number
  onChange: (step: number) => void
}) {
  return (
    <Field label="Test this step">
      <Select value={step} onChange={(event) => onChange(Number(event.target.value))}>
        <option value={1}>First email</option>
        {Array.from({ length: followUps }, (_, index) => index + 1).map((number) => (
          <option key={number} value={number + 1}>
            Follow-up {number}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function AccountChoice({
  senderIds,
  senderId,
  onChange,
}: {
  senderIds: string[]
  senderId: string | undefined
  onChange: (id: string) => void
}) {
  const senders = useSenders()
  return (
    <Field label="Account to test from">
      <Select value={senderId} onChange={(event) => onChange(event.target.value)}>
        {senderIds.map((id) => (
          <option key={id} value={id}>
            {senders.data?.items.find((one) => one.id === id)?.fromEmail ?? 'an account'}
          </option>
        ))}
      </Select>
    </Field>
  )
}
