import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api } from '#web/api.ts'
import { type Draft, TestFrame } from '#web/features/campaigns/index.ts'
import { refusedField } from '#web/forms.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { readContent, useTemplate } from './use-content.ts'

/** One real message: to a contact who agreed, with their own values, or to a number of one's own. Nobody else is written to, not even for a test. */
export function TestMessage({ id, draft }: { id: string; draft: Draft }) {
  const template = useTemplate(readContent(draft))
  const [to, setTo] = useState('')
  const [own, setOwn] = useState(false)
  const test = useMutation({
    mutationFn: async () => {
      if (!(await draft.saving.flush())) throw new Error('Your last change could not be saved, so no test was sent.')
      return api(campaigns.test, { params: { id }, body: { to: to.trim(), own } })
    },
  })
  const fault = refusedField(test.error, 'to', 'The number')
  return (
    <TestFrame
      test={test}
      fault={fault}
      result={
        test.data &&
        (test.data.ok ? (
          <Banner tone="good" role="status" title="Test message accepted">
            {test.data.message} It counts toward your monthly messages, but not toward this campaign.
          </Banner>
        ) : (
          <Banner tone="harm" role="alert" title="The test could not be sent">
            {test.data.message}
          </Banner>
        ))
      }
    >
      <div className="flex flex-wrap items-start gap-2">
        <Field
          label="Send a test to"
          className="min-w-0 flex-1 basis-56"
          error={fault}
          hint="Enter the number of a contact with recorded consent, who gets their own values, or one of your own numbers."
        >
          <Input
            type="tel"
            autoComplete="tel"
            placeholder="+4930123456"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </Field>
        <Button type="submit" className="mt-6.5" busy={test.isPending} disabled={to.trim() === '' || !template}>
          Send test
        </Button>
      </div>
      <Checkbox
        label="This is my own number"
        hint="It needs no contact and no consent. Variables are filled with examples. Up to five numbers in 24 hours."
        checked={own}
        onChange={(event) => setOwn(event.target.checked)}
      />
    </TestFrame>
  )
}
