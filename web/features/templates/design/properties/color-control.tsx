import { useEffect, useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { toHex } from './css-values.ts'

interface ColorControlProps {
  label: string
  value: string
  inherited: string
  /** Colors at hand: the brand's first, then those of the email. */
  swatches: string[]
  onSet: (value: string) => void
}

/** A color: picked, typed as hex, or one of the swatches. */
export function ColorControl({ label, value, inherited, swatches, onSet }: ColorControlProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const shown = toHex(value) ?? toHex(inherited) ?? '#ffffff'
  return (
    <fieldset>
      <div className="mb-1.5 flex min-h-7 items-center justify-between gap-2">
        <legend className="float-left text-sm font-medium text-ink">{label}</legend>
        {value !== '' && (
          <Button size="sm" kind="quiet" aria-label={`${label}: reset`} onClick={() => onSet('')}>
            Reset
          </Button>
        )}
      </div>
      <div className="flex items-center gap-2">
        <input
          type="color"
          aria-label={`${label}: choose`}
          value={shown}
          onChange={(event) => onSet(event.target.value)}
          className="h-8 w-9 shrink-0 cursor-pointer rounded-control border border-control bg-raised p-0.5"
        />
        <Input
          aria-label={label}
          className="h-8 w-24 font-mono text-sm"
          maxLength={30}
          spellCheck={false}
          autoComplete="off"
          value={text}
          placeholder={toHex(inherited) ?? 'None'}
          onChange={(event) => {
            const typed = event.target.value.trim()
            setText(typed)
            if (typed === '' || toHex(typed)) onSet(typed)
          }}
          onBlur={() => setText(value)}
        />
      </div>
      {swatches.length > 0 && (
        <div role="group" aria-label={`${label}: swatches`} className="mt-2 flex flex-wrap gap-1.5">
          {swatches.map((color) => (
            <button
              key={color}
              type="button"
              aria-label={`${label}: ${color}`}
              title={color}
              aria-pressed={toHex(value) === color}
              onClick={() => onSet(color)}
              style={{ background: color }}
              className="size-6 rounded-full border border-control aria-pressed:outline-2 aria-pressed:outline-offset-1 aria-pressed:outline-accent-text"
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}

/** The brand's colors and then those used most in an email, each once. */
export function findSwatches(brand: string[], source: string): string[] {
  const counts = new Map<string, number>()
  // Style sheets are about dark mode and phones.
  for (const [color] of source.replace(/<mj-style[\s\S]*?<\/mj-style>/gi, '').matchAll(/#[0-9a-f]{6}\b/gi)) {
    const hex = color.toLowerCase()
    counts.set(hex, (counts.get(hex) ?? 0) + 1)
  }
  const used = [...counts].toSorted((a, b) => b[1] - a[1]).map(([color]) => color)
  return [...new Set([...brand.map((color) => color.toLowerCase()), ...used])].slice(0, Math.max(9, brand.length))
}
