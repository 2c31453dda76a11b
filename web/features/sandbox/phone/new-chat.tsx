import { useState } from 'react'
import type { z } from 'zod'
import { Phone as PhoneNumber } from '#contracts/contacts/contacts.ts'
import type { SandboxNumber } from '#contracts/sandbox/whatsapp.ts'
import { errorMessage } from '#web/api.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { type ChatKey, useDeed } from './queries.ts'

interface NewChatProps {
  numbers: z.infer<typeof SandboxNumber>[]
  onClose: () => void
  onWritten: (chat: ChatKey) => void
}

/** Somebody writes to a business first, as customers do. */
export function NewChat({ numbers, onClose, onWritten }: NewChatProps) {
  const deed = useDeed()
  const [typed, setTyped] = useState({
    number: numbers[0]?.phoneNumberId ?? '',
    name: 'Grace Hopper',
    phone: '+447911123456',
    text: '',
  })
  const [wrong, setWrong] = useState<{ phone?: string; text?: string }>({})
  const set = (part: Partial<typeof typed>) => setTyped((old) => ({ ...old, ...part }))
  const phone = typed.phone.replaceAll(/[\s()/.-]/g, '')
  async function write() {
    const faults = {
      ...(!PhoneNumber.safeParse(phone).success && {
        phone: 'Enter the number with its country code, such as +447911123456.',
      }),
      ...(!typed.text.trim() && { text: 'Enter a message' }),
    }
    setWrong(faults)
    if (Object.keys(faults).length > 0) return
    const chat = { number: typed.number, person: phone.slice(1) }
    await deed.mutateAsync({ chat, deed: { act: 'text', text: typed.text.trim(), name: typed.name } })
    onWritten(chat)
    onClose()
  }
  return (
    <FormDialog
      title="Simulate a message"
      description="The message arrives in the inbox of the workspace that connected the number."
      action="Send message"
      busy={deed.isPending}
      error={deed.error && errorMessage(deed.error)}
      onSubmit={() => write().catch(() => undefined)}
      onClose={onClose}
    >
      <Field label="To">
        <Select value={typed.number} onChange={(event) => set({ number: event.target.value })}>
          {numbers.map(({ phoneNumberId, verifiedName, displayPhone }) => (
            <option key={phoneNumberId} value={phoneNumberId}>
              {verifiedName} · {displayPhone}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" optional>
          <Input
            autoComplete="off"
            maxLength={80}
            value={typed.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label="Phone number" error={wrong.phone}>
          <Input
            type="tel"
            autoComplete="off"
            value={typed.phone}
            onChange={(event) => set({ phone: event.target.value })}
          />
        </Field>
      </div>
      <Field label="Message" error={wrong.text}>
        <Input
          autoComplete="off"
          maxLength={4_096}
          value={typed.text}
          onChange={(event) => set({ text: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}
