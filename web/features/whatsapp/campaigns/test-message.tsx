import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { campaigns } from '#contracts/campaigns.ts'
import { api, messageOf } from '#web/api.ts'
import type { Draft } from '#web/features/campaigns/index.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { contentOf, useTemplate } from './use-content.ts'

/** One real message: to a contact who agreed, with his own values, or to a number of one's own. Nobody else is written to, not even for a test. */
export function TestMessage({ id, draft }: { id: string; draft: Draft }) {
  const template = useTemplate(contentOf(draft))
  const [to, setTo] = useState('')
  const [own, setOwn] = useState(false)
  const test = useMutation({
    mutationFn: async () => {
      if (!(await draft.saving.flush())) throw new Error('The last answer could not be saved, so no test was sent.')
      return api(campaigns.test, { params: { id }, body: { to: to.trim(), own } })
    },
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
      <div className="flex flex-wrap items-start gap-2">
        <Field
          label="Send a test to"
          className="min-w-0 flex-1 basis-56"
          hint="The number of a contact with a recorded consent, who gets it with his own values, or one of your own."
        >
          <Input
            type="tel"
            autoComplete="tel"
            placeholder="+4930123456"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </Field>
        <Button type="submit" className="sm:mt-6.5" busy={test.isPending} disabled={to.trim() === '' || !template}>
          Send the test
        </Button>
      </div>
      <Checkbox
        label="This number is my own"
        hint="Then it needs no contact and no consent; its places are filled with examples. At most five numbers in 24 hours."
        checked={own}
        onChange={(event) => setOwn(event.target.checked)}
      />
      {test.isError && (
        <Banner tone="harm" role="alert">
          {messageOf(test.error)}
        </Banner>
      )}
      {test.data &&
        (test.data.ok ? (
          <Banner tone="good" role="status" title="The test was handed over">
            {test.data.message} It is one of the month’s messages, and not one of the campaign.
          </Banner>
        ) : (
          <Banner tone="harm" role="alert" title="The test did not go">
            {test.data.message}
          </Banner>
        ))}
    </form>
  )
}
