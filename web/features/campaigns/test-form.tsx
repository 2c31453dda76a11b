import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#web/api.ts'
import { ServerWords } from '#web/features/senders/index.ts'
import { refusedField } from '#web/forms.ts'
import { useTestAddress } from '#web/session/queries.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'

interface TestFormProps {
  /** Sends one real message to an address. Rejects where that was refused. */
  send: (to: string) => Promise<{ ok: boolean; message: string; response: string }>
  /** What else is chosen, above the address. */
  children?: React.ReactNode
}

/** One real message to one address, with what the mail server said. */
export function TestForm({ send, children }: TestFormProps) {
  const [to, setTo] = useState(useTestAddress())
  const test = useMutation({ mutationFn: () => send(to.trim()) })
  const fault = refusedField(test.error, 'to', 'The address')
  return (
    <TestFrame
      test={test}
      fault={fault}
      result={
        test.data && (
          <Banner tone={test.data.ok ? 'good' : 'harm'} role="status" title={test.data.message}>
            {test.data.response && <ServerWords text={test.data.response} />}
          </Banner>
        )
      }
    >
      {children}
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Send yourself a test" className="min-w-0 flex-1 basis-56" error={fault}>
          <Input type="email" autoComplete="email" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        <Button type="submit" className="mt-6.5" busy={test.isPending} disabled={to.trim() === ''}>
          Send test
        </Button>
      </div>
    </TestFrame>
  )
}

interface TestFrameProps {
  test: UseMutationResult<unknown, Error, void>
  /** Why it was refused, where its field says so. */
  fault?: string | undefined
  /** What became of a test that was not refused. */
  result: React.ReactNode
  children: React.ReactNode
}

/** The form of a test of any channel: its fields, why it was refused, and what became of it. */
export function TestFrame({ test, fault, result, children }: TestFrameProps) {
  return (
    <form
      noValidate
      className="max-w-xl space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate()
      }}
    >
      {children}
      {test.isError && !fault && (
        <Banner tone="harm" role="alert">
          {errorMessage(test.error)}
        </Banner>
      )}
      {result}
    </form>
  )
}
