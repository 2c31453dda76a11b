import { AlignCenter, AlignLeft, AlignRight } from 'lucide-react'

const CHOICES = [
  { value: 'left', label: 'Left', icon: AlignLeft },
  { value: 'center', label: 'Center', icon: AlignCenter },
  { value: 'right', label: 'Right', icon: AlignRight },
]

interface AlignControlProps {
  label: string
  value: string
  inherited: string
  onSet: (value: string) => void
}

/** Left, center or right. Clicking the chosen one again inherits. */
export function AlignControl({ label, value, inherited, onSet }: AlignControlProps) {
  return (
    <div role="group" aria-label={label} className="inline-flex gap-0.5 rounded-control bg-sunken p-0.5">
      {CHOICES.map(({ value: choice, label: name, icon: Icon }) => (
        <button
          key={choice}
          type="button"
          aria-label={name}
          title={name}
          aria-pressed={(value || inherited) === choice}
          onClick={() => onSet(value === choice ? '' : choice)}
          className="grid h-7 w-9 place-items-center rounded-[4px] text-muted hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-sm"
        >
          <Icon aria-hidden="true" className="size-4" />
        </button>
      ))}
    </div>
  )
}
