import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import type { Faults } from './template-checks.ts'
import type { DraftButton } from './template-draft.ts'

const kinds: Record<DraftButton['type'], { label: string; target: string; hint: string }> = {
  quick_reply: { label: 'Quick reply', target: '', hint: 'A tap arrives in your inbox as a message.' },
  url: { label: 'URL', target: 'URL', hint: 'Can end with {{1}}, which is filled in for each message.' },
  phone: { label: 'Phone call', target: 'Phone number', hint: 'With country code: +49 30 123456.' },
}

interface TemplateButtonsProps {
  buttons: DraftButton[]
  faults: Faults
  onChange: (buttons: DraftButton[]) => void
}

/** The buttons under a template; quick replies stand together, because Meta requires it. */
export function TemplateButtons({ buttons, faults, onChange }: TemplateButtonsProps) {
  const count = (type: DraftButton['type']) => buttons.filter((one) => one.type === type).length
  const add = (type: DraftButton['type'], text = '') => {
    const one: DraftButton = { key: crypto.randomUUID(), type, text, target: '', example: '' }
    const replies = [...buttons, one].filter((each) => each.type === 'quick_reply')
    onChange([...replies, ...[...buttons, one].filter((each) => each.type !== 'quick_reply')])
  }
  const change = (at: number, part: Partial<DraftButton>) =>
    onChange(buttons.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="space-y-3">
      <legend className="text-sm font-medium text-ink">
        Buttons <span className="font-normal text-muted">(optional)</span>
      </legend>
      {faults.buttons && <p className="text-sm text-harm-text">{faults.buttons}</p>}
      {buttons.map((button, at) => (
        <ButtonRow
          key={button.key}
          button={button}
          faults={faults}
          place={`buttons.${at}`}
          onChange={(part) => change(at, part)}
          onRemove={() => onChange(buttons.filter((_, index) => index !== at))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Menu
          align="start"
          trigger={
            <Button size="sm" icon={<Plus aria-hidden="true" className="size-3.5" />} disabled={buttons.length >= 10}>
              Add button
            </Button>
          }
        >
          <MenuItem onSelect={() => add('quick_reply')}>Quick reply</MenuItem>
          <MenuItem disabled={count('url') >= 2} onSelect={() => add('url')}>
            URL, up to two
          </MenuItem>
          <MenuItem disabled={count('phone') >= 1} onSelect={() => add('phone')}>
            Phone number, up to one
          </MenuItem>
        </Menu>
        {!buttons.some(({ text }) => text === 'Stop promotions') && buttons.length < 10 && (
          <Button size="sm" kind="quiet" onClick={() => add('quick_reply', 'Stop promotions')}>
            Add “Stop promotions”
          </Button>
        )}
      </div>
    </fieldset>
  )
}

interface ButtonRowProps {
  button: DraftButton
  faults: Faults
  /** Where its faults are found. */
  place: string
  onChange: (part: Partial<DraftButton>) => void
  onRemove: () => void
}

function ButtonRow({ button, faults, place, onChange, onRemove }: ButtonRowProps) {
  const kind = kinds[button.type]
  return (
    <div className="rounded-control border bg-page p-3">
      <div className="flex items-start gap-2">
        <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-2">
          <Field
            label={`${kind.label}: label`}
            error={faults[place]}
            className={button.type === 'quick_reply' ? 'sm:col-span-2' : ''}
            {...(button.type === 'quick_reply' && { hint: kind.hint })}
          >
            <Input maxLength={25} value={button.text} onChange={(event) => onChange({ text: event.target.value })} />
          </Field>
          {button.type !== 'quick_reply' && (
            <Field label={kind.target} hint={kind.hint} error={faults[`${place}.target`]}>
              <Input
                spellCheck={false}
                placeholder={button.type === 'url' ? 'https://example.com/shop' : '+4930123456'}
                value={button.target}
                onChange={(event) => onChange({ target: event.target.value })}
              />
            </Field>
          )}
          {button.type === 'url' && button.target.includes('{{') && (
            <Field label="Example of the full URL" className="sm:col-span-2" error={faults[`${place}.example`]}>
              <Input
                spellCheck={false}
                value={button.example}
                onChange={(event) => onChange({ example: event.target.value })}
              />
            </Field>
          )}
        </div>
        <IconButton size="sm" label={`Remove button ${button.text || kind.label}`} onClick={onRemove}>
          <X aria-hidden="true" className="size-3.5" />
        </IconButton>
      </div>
    </div>
  )
}
