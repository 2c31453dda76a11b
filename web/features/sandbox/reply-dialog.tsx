import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { api, errorMessage } from '#web/api.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

/** Writes a reply as the recipient of the email. It comes into the mailbox of the Gmail account that sent it. */
export function ReplyDialog({ id, to, onClose }: { id: string; to: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [away, setAway] = useState(false)
  const send = useMutation({
    mutationFn: () => api(sandbox.reply, { params: { id }, body: { text, by: away ? 'machine' : 'person' } }),
    onSuccess() {
      toast.success('Reply sent. If its account has mailbox access, the campaign detects it within a minute.')
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Reply as ${to}`}
      action="Send reply"
      busy={send.isPending}
      disabled={text.trim() === ''}
      error={send.error && errorMessage(send.error)}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <Field label="Reply">
        <Textarea rows={4} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Checkbox
        label="Automatic reply"
        hint="As sent by a mailbox while its owner is away. It does not count as a reply."
        checked={away}
        onChange={(event) => setAway(event.target.checked)}
      />
    </FormDialog>
  )
}
