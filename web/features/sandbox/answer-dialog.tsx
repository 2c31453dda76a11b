import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { sandbox } from '#contracts/sandbox.ts'
import { api, messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toaster.tsx'

/** Writes an answer as whoever got the mail. It comes into the mailbox of the Gmail account that sent it. */
export function AnswerDialog({ id, to, onClose }: { id: string; to: string; onClose: () => void }) {
  const form = useId()
  const [text, setText] = useState('')
  const [away, setAway] = useState(false)
  const send = useMutation({
    mutationFn: () => api(sandbox.answer, { params: { id }, body: { text, by: away ? 'machine' : 'person' } }),
    onSuccess() {
      toast.success('Answered. The campaign knows within a minute, if its account may read.')
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Answer as ${to}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={send.isPending} disabled={text.trim() === ''}>
            Send answer
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="space-y-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate()
        }}
      >
        {send.isError && <FormBanner error={messageOf(send.error)} />}
        <Field label="Answer">
          <Textarea rows={4} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Checkbox
          label="An automatic answer"
          hint="As a mailbox sends it while its owner is away. It does not count as a reply."
          checked={away}
          onChange={(event) => setAway(event.target.checked)}
        />
      </form>
    </Dialog>
  )
}
