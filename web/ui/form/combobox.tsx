import { Check, ChevronDown } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { cx } from '../lib/class-names.ts'
import { useFieldControl } from './field.tsx'
import { controlClass } from './input.tsx'

export interface ComboboxOption {
  value: string
  label: string
  /** A quiet word at the end, found by typing too. */
  note?: string
}

interface ComboboxProps {
  options: ComboboxOption[]
  value: string
  onChange: (value: string) => void
  /** What the empty value means; it is the first choice. */
  none: string
  className?: string
}

const matching = (options: ComboboxOption[], text: string) => {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return options
  const begins = options.filter(({ label }) => label.toLowerCase().startsWith(wanted))
  const holds = options.filter(
    (option) =>
      !begins.includes(option) && `${option.label} ${option.note ?? ''} ${option.value}`.toLowerCase().includes(wanted),
  )
  return [...begins, ...holds]
}

/** One of very many, found by typing (ARIA's combobox with a list). Inside a Field it takes its label from there. */
export function Combobox({ options, value, onChange, none, className }: ComboboxProps) {
  const list = useId()
  const control = useFieldControl({})
  const [text, setText] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const all = [{ value: '', label: none }, ...options]
  const open = text !== null
  const shown = open ? matching(all, text) : []
  const chosen = all.find((option) => option.value === value)

  const show = (index: number) => {
    setActive(index)
    box.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  }
  const begin = () => {
    setText('')
    setActive(0)
  }
  const choose = (option: ComboboxOption | undefined) => {
    if (option) onChange(option.value)
    setText(null)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (!open) begin()
      else show(Math.min(Math.max(active + step, 0), shown.length - 1))
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      choose(shown[active])
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation()
      setText(null)
    }
  }

  return (
    <div className={cx('relative', className)}>
      <input
        {...control}
        role="combobox"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open && shown[active] ? `${list}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        className={cx(controlClass, 'h-9 truncate pr-9')}
        value={text ?? chosen?.label ?? ''}
        placeholder={chosen?.label}
        onClick={() => !open && begin()}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setText(null)}
      />
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted"
      />
      <div
        ref={box}
        id={list}
        role="listbox"
        aria-label="Choices"
        hidden={!open}
        className="absolute inset-x-0 top-full z-30 mt-1.5 max-h-64 animate-float-in overflow-y-auto rounded-card border bg-raised p-1 shadow-float"
      >
        {shown.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus and the keys stay in the text
          <div
            key={option.value}
            id={`${list}-${index}`}
            role="option"
            aria-selected={option.value === value}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setActive(index)}
            onClick={() => choose(option)}
            className={cx(
              'flex min-h-8 cursor-default items-center gap-2.5 rounded-[4px] px-2.5 py-1 text-base text-ink',
              index === active && 'bg-hover',
            )}
          >
            <span className="min-w-0 flex-1">{option.label}</span>
            {option.note && <span className="text-sm text-muted tabular-nums">{option.note}</span>}
            {option.value === value && <Check aria-hidden="true" className="size-4 text-muted" />}
          </div>
        ))}
        {open && shown.length === 0 && <p className="px-2.5 py-2 text-base text-muted">No results</p>}
      </div>
    </div>
  )
}
