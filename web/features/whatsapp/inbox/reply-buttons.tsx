import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'

/** WhatsApp shows at most three, each of at most 20 characters. */
const MAX_BUTTONS = 3
const MAX_LENGTH = 20

/** Why these buttons cannot go, in a sentence; undefined: they can. Empty ones are skipped and no reason. */
export function buttonsProblem(buttons: string[]): string | undefined {
  const said = saidButtons(buttons)
  if (said.length === 0) return 'Enter a label for each button, or remove the buttons.'
  if (new Set(said.map((one) => one.toLowerCase())).size < said.length)
    return 'Two buttons have the same label. WhatsApp requires different labels.'
  return undefined
}

/** The buttons that say something. */
export const saidButtons = (buttons: string[]): string[] => buttons.map((one) => one.trim()).filter(Boolean)

interface ReplyButtonsProps {
  buttons: string[]
  onChange: (buttons: string[]) => void
  onRemoveAll: () => void
}

/** Up to three replies the person can tap instead of writing. */
export function ReplyButtons({ buttons, onChange, onRemoveAll }: ReplyButtonsProps) {
  const row = useRef<HTMLFieldSetElement>(null)
  const count = buttons.length
  useEffect(() => {
    row.current?.querySelector<HTMLInputElement>(`li:nth-child(${count}) input`)?.focus()
  }, [count])
  return (
    <fieldset ref={row} className="rounded-control border bg-page px-3 pt-2 pb-3">
      <legend className="sr-only">Reply buttons</legend>
      <div className="mb-1.5 flex items-center justify-between gap-3">
        <p className="text-sm text-muted">Buttons below the message. A tap arrives as a reply.</p>
        <IconButton size="sm" label="Remove buttons" onClick={onRemoveAll}>
          <X aria-hidden="true" className="size-3.5" />
        </IconButton>
      </div>
      <ol className="flex flex-wrap items-center gap-2">
        {buttons.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
          <li key={at} className="min-w-36 flex-1 sm:max-w-52">
            <Input
              aria-label={`Button ${at + 1}`}
              placeholder={['Yes, please', 'Not now', 'Call me'][at]}
              autoComplete="off"
              maxLength={MAX_LENGTH}
              value={text}
              onChange={(event) => onChange(buttons.with(at, event.target.value))}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                // Enter goes on to the next button; the message is sent from its text.
                event.preventDefault()
                if (at + 1 < count) row.current?.querySelectorAll('input')[at + 1]?.focus()
                else if (count < MAX_BUTTONS && text.trim() !== '') onChange([...buttons, ''])
              }}
            />
          </li>
        ))}
        {count < MAX_BUTTONS && (
          <li>
            <Button
              size="sm"
              kind="quiet"
              icon={<Plus aria-hidden="true" className="size-3.5" />}
              onClick={() => onChange([...buttons, ''])}
            >
              Add button
            </Button>
          </li>
        )}
      </ol>
    </fieldset>
  )
}
