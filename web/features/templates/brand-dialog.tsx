import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { type Brand, brand, COLOR_LIMIT } from '#contracts/templates/parts.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { FONTS, fontLabel } from './design/colors.ts'
import { useBrand } from './queries.ts'

const HEX = /^#[0-9a-f]{6}$/i

/** The colors and fonts every email is offered, set once. */
export function BrandDialog({ onClose }: { onClose: () => void }) {
  const found = useBrand()
  return (
    <Dialog
      isForm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Brand"
      description="Available wherever you choose a color or font, and applied to new templates."
    >
      {found.isError && <FormBanner error={`Your brand could not be loaded. ${errorMessage(found.error)}`} />}
      {found.isPending && <Skeleton className="h-48" />}
      {found.data && <BrandForm initial={found.data} onClose={onClose} />}
    </Dialog>
  )
}

/** The same on a page; without `onClose` it stays. */
export function BrandForm({ initial, onClose }: { initial: Brand; onClose?: () => void }) {
  const queries = useQueryClient()
  const [colors, setColors] = useState(initial.colors)
  const [textFont, setTextFont] = useState(initial.textFont)
  const [headingFont, setHeadingFont] = useState(initial.headingFont)
  const isComplete = colors.every((color) => HEX.test(color))
  const save = useMutation({
    mutationFn: () => api(brand.set, { body: { colors, textFont, headingFont } }),
    onSuccess: (saved) => {
      queries.setQueryData(['brand'], saved)
      toast('Brand saved. Existing emails keep their colors.')
      onClose?.()
    },
  })
  return (
    <form
      className="space-y-5 pb-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) save.mutate()
      }}
    >
      {save.isError && <FormBanner error={`The brand was not saved. ${errorMessage(save.error)}`} />}
      <fieldset>
        <legend className="mb-2 text-sm font-medium text-ink">Colors</legend>
        <ul className="space-y-2">
          {colors.map((color, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a color is known by its place while it is typed
            <li key={at} className="flex items-center gap-2">
              <ColorInput
                label={at === 0 ? 'Main color' : `Color ${at + 1}`}
                value={color}
                onChange={(value) => setColors(colors.with(at, value))}
              />
              <IconButton label={`Remove color ${at + 1}`} onClick={() => setColors(colors.toSpliced(at, 1))}>
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
        {colors.length < COLOR_LIMIT && (
          <Button
            size="sm"
            className="mt-2"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setColors([...colors, '#3b49df'])}
          >
            Add color
          </Button>
        )}
        <p className="mt-2 text-sm text-muted">
          The first color is used for buttons and links in new templates. If it is too light to read, a darker shade is
          used.
        </p>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <FontField label="Text font" value={textFont} onChange={setTextFont} />
        <FontField label="Heading font" value={headingFont} onChange={setHeadingFont} />
      </div>
      <div className="flex flex-col-reverse gap-2 pt-1 sm:flex-row sm:justify-end">
        {onClose && <Button onClick={onClose}>Cancel</Button>}
        <Button kind="primary" type="submit" busy={save.isPending} disabled={!isComplete}>
          Save changes
        </Button>
      </div>
    </form>
  )
}

interface ColorInputProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function ColorInput({ label, value, onChange }: ColorInputProps) {
  const isColor = HEX.test(value)
  return (
    <>
      <input
        type="color"
        aria-label={`${label}: choose`}
        value={isColor ? value : '#ffffff'}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-12 shrink-0 rounded-control border border-control bg-raised p-1"
      />
      <Input
        aria-label={label}
        aria-invalid={!isColor || undefined}
        className="max-w-36 font-mono"
        maxLength={7}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <span className="min-w-0 flex-1 text-sm text-muted">
        {!isColor ? 'Use the format #3b49df' : label === 'Main color' ? 'Main' : ''}
      </span>
    </>
  )
}

const OTHER = 'other'

function FontField({ label, value, onChange }: ColorInputProps) {
  const isOwn = value !== '' && !FONTS.some((font) => font.value === value)
  const [writes, setWrites] = useState(isOwn)
  return (
    <div className="space-y-2">
      <Field label={label} optional>
        <Select
          value={writes ? OTHER : value}
          onChange={(event) => {
            setWrites(event.target.value === OTHER)
            if (event.target.value !== OTHER) onChange(event.target.value)
          }}
        >
          <option value="">Inherit</option>
          {FONTS.map((font) => (
            <option key={font.value} value={font.value}>
              {font.label}
            </option>
          ))}
          <option value={OTHER}>Other</option>
        </Select>
      </Field>
      {writes && (
        <Input
          aria-label={`${label}: names`}
          placeholder="Lato, Arial, sans-serif"
          maxLength={120}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {value !== '' && (
        <p className="truncate text-md text-ink" style={{ fontFamily: value }}>
          {fontLabel(value)}: Dear reader
        </p>
      )}
    </div>
  )
}
