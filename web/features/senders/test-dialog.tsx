import { useState } from 'react'
import type { Sender } from '#contracts/senders/senders.ts'
import { errorMessage } from '#web/api.ts'
import { refusedField } from '#web/forms.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useSenderTest } from './queries.ts'
import { fromLine } from './sender-state.tsx'

/** Sends one real message through a sender and says how it went, with the server's own words. */
export function TestSender({ sender, to: first = '' }: { sender: Sender; to?: string }) {
  const [to, setTo] = useState(first)
  const test = useSenderTest(sender.id)
  const fault = refusedField(test.error, 'to', 'The address')
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate(to.trim())
      }}
    >
      <Field label="Send a test email to" hint={`It is sent from ${fromLine(sender)}.`} error={fault}>
        <Input type="email" autoComplete="email" value={to} onChange={(event) => setTo(event.target.value)} />
      </Field>
      <Button type="submit" busy={test.isPending} disabled={to.trim() === ''}>
        {test.isPending ? 'Sending test email' : 'Send test email'}
      </Button>
      {test.isError && !fault && <FormBanner error={errorMessage(test.error)} />}
      {test.data && (
        <Banner role="status" tone={test.data.ok ? 'good' : 'harm'} title={test.data.message}>
          {test.data.response && <ServerWords text={test.data.response} />}
        </Banner>
      )}
    </form>
  )
}

/** What a mail server said, letter for letter. */
export function ServerWords({ text }: { text: string }) {
  return (
    <span className="block">
      Server response: <code className="font-mono text-sm break-words">{text}</code>
    </span>
  )
}

/** The same in a window. */
export function TestDialog({ sender, to, onClose }: { sender: Sender; to: string; onClose: () => void }) {
  return (
    <Dialog
      isForm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Send a test email"
      description="Sends a real message so you can check that it arrives."
    >
      <div className="pb-4">
        <TestSender sender={sender} to={to} />
      </div>
    </Dialog>
  )
}
