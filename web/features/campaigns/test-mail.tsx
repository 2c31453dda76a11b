import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { campaigns } from '#contracts/campaigns.ts'
import { api, messageOf } from '#web/api.ts'
import { useUser } from '#web/features/accounts/index.ts'
import { ServerWords } from '#web/features/senders/index.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** One real message of the campaign to one address; it says [Test] in its subject and counts nowhere. */
export function TestMail({ id }: { id: string }) {
  const user = useUser()
  const [to, setTo] = useState(user.data?.email ?? '')
  const test = useMutation({ mutationFn: () => api(campaigns.test, { params: { id }, body: { to: to.trim() } }) })
  return (
    <form
      noValidate
      className="max-w-xl space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate()
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Send yourself a test" className="min-w-0 flex-1 basis-56">
          <Input type="email" autoComplete="email" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        <Button type="submit" busy={test.isPending} disabled={to.trim() === ''}>
          Send the test
        </Button>
      </div>
      {test.isError && (
        <Banner tone="harm" role="alert">
          {messageOf(test.error)}
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
