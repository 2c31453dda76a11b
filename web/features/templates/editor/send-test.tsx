import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { templates } from '#contracts/templates/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { useUser } from '#web/session/queries.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Popover } from '#web/ui/overlay/popover.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { type PreviewReader, ReaderPicker } from './contact-picker.tsx'

interface SendTestProps {
  id: string
  reader: PreviewReader
  onReader: (reader: PreviewReader) => void
  /** For whom it is rendered now, by name; null: sample data. */
  as: string | null
  total: number | null
  /** Saves what is waiting; true when everything is saved. */
  flush: () => Promise<boolean>
}

/** Sends the email as it is to one's own address, as one of the contacts would get it. */
export function SendTest({ id, reader, onReader, as, total, flush }: SendTestProps) {
  const [open, setOpen] = useState(false)
  const { data: user } = useUser()
  const send = useMutation({
    mutationFn: async () => {
      if (!(await flush())) throw new Error('Your changes could not be saved.')
      return api(templates.test, { params: { id }, body: reader })
    },
    onSuccess: ({ ok, message }) => {
      if (!ok) return void toast.error(message)
      toast(message)
      setOpen(false)
    },
    onError: (error) => toast.error(`The test was not sent. ${errorMessage(error)}`),
  })
  return (
    <Popover
      label="Send a test email"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" icon={<Send aria-hidden="true" className="size-4" />}>
          <span className="max-wide:sr-only">Send test</span>
        </Button>
      }
    >
      <div className="space-y-4">
        <h2 className="text-base font-semibold text-ink">Send a test email</h2>
        <dl className="space-y-1">
          <dt className="text-sm font-medium text-ink">To</dt>
          <dd className="truncate text-text">{user?.email ?? 'Your own address'}</dd>
        </dl>
        <div>
          <p className="mb-1.5 text-sm font-medium text-ink">Fill variables as</p>
          <ReaderPicker isStacked reader={reader} total={total} onChange={onReader} />
        </div>
        <Button kind="primary" className="w-full" busy={send.isPending} onClick={() => send.mutate()}>
          {as ? `Send as ${as}` : 'Send with sample data'}
        </Button>
      </div>
    </Popover>
  )
}
