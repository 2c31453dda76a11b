import { useState } from 'react'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api } from '#web/api.ts'
import { useSenders } from '#web/features/senders/index.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TestForm } from '../test-form.tsx'
import type { Draft } from './draft.ts'

/** One real message of the campaign to one address; it says [Test] in its subject and counts nowhere. */
export function TestEmail({ id, draft }: { id: string; draft: Draft }) {
  const [step, setStep] = useState(1)
  const [through, setThrough] = useState('')
  const { senderIds } = draft.choices
  const followUps = draft.query.data?.followUps ?? 0
  const senderId = senderIds.includes(through) ? through : undefined
  return (
    <TestForm send={(to) => api(campaigns.test, { params: { id }, body: { to, step, senderId } })}>
      {(followUps > 0 || senderIds.length > 1) && (
        <div className="grid gap-3 sm:grid-cols-2">
          {followUps > 0 && <StepChoice followUps={followUps} step={step} onChange={setStep} />}
          {senderIds.length > 1 && (
            <AccountChoice senderIds={senderIds} senderId={senderId ?? senderIds[0]} onChange={setThrough} />
          )}
        </div>
      )}
    </TestForm>
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
