import { useId, useState } from 'react'
import type { z } from 'zod'
import { Phone as PhoneNumber } from '#contracts/contacts.ts'
import type { SandboxNumber } from '#contracts/whatsapp-sandbox.ts'
import { messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { type ChatKey, useDeed } from './phone-queries.ts'

interface NewChatProps {
  numbers: z.infer<typeof SandboxNumber>[]
  onClose: () => void
  onWritten: (chat: ChatKey) => void
}

/** Somebody writes to a business first, as customers do. */
export function NewChat({ numbers, onClose, onWritten }: NewChatProps) {
  const id = useId()
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
      ...(!PhoneNumber.safeParse(phone).success && { phone: 'The number needs its country, such as +447911123456.' }),
      ...(!typed.text.trim() && { text: 'What do they write?' }),
    }
    setWrong(faults)
    if (Object.keys(faults).length > 0) return
    const chat = { number: typed.number, person: phone.slice(1) }
    await deed.mutateAsync({ chat, deed: { act: 'text', text: typed.text.trim(), name: typed.name } })
    onWritten(chat)
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Write as somebody"
      description="Their message reaches the inbox of whoever connected the number."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} busy={deed.isPending}>
            Send message
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="space-y-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          write().catch(() => undefined)
        }}
      >
        <FormBanner error={deed.error ? messageOf(deed.error) : null} />
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
          <Field label="Their name" optional>
            <Input
              autoComplete="off"
              maxLength={80}
              value={typed.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          </Field>
          <Field label="Their number" error={wrong.phone}>
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
      </form>
    </Dialog>
  )
}
