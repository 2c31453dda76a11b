import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { type Brand, brand, COLOUR_LIMIT } from '#contracts/letter-parts.ts'
import { api, messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { FONTS, fontLabel } from './design/colours.ts'
import { useBrand } from './queries.ts'

const HEX = /^#[0-9a-f]{6}$/i

/** The colours and fonts every letter is offered, set once. */
export function BrandDialog({ onClose }: { onClose: () => void }) {
  const found = useBrand()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Brand"
      description="Offered wherever a colour or a font is chosen. A starter you take wears the first colour and the fonts."
    >
      {found.isError && <FormBanner error={`Your brand could not be loaded. ${messageOf(found.error)}`} />}
      {found.isPending && <Skeleton className="h-48" />}
      {found.data && <BrandForm initial={found.data} onClose={onClose} />}
    </Dialog>
  )
}

function BrandForm({ initial, onClose }: { initial: Brand; onClose: () => void }) {
  const queries = useQueryClient()
  const [colours, setColours] = useState(initial.colours)
  const [textFont, setTextFont] = useState(initial.textFont)
  const [headingFont, setHeadingFont] = useState(initial.headingFont)
  const isComplete = colours.every((colour) => HEX.test(colour))
  const save = useMutation({
    mutationFn: () => api(brand.set, { body: { colours, textFont, headingFont } }),
    onSuccess: (saved) => {
      queries.setQueryData(['brand'], saved)
      toast('Your brand is saved. Letters that are written keep their colours.')
      onClose()
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
      {save.isError && <FormBanner error={`Nothing was saved. ${messageOf(save.error)}`} />}
      <fieldset>
        <legend className="mb-2 text-sm font-medium text-ink">Colours</legend>
        <ul className="space-y-2">
          {colours.map((colour, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a colour is known by its place while it is typed
            <li key={at} className="flex items-center gap-2">
              <ColourInput
                label={at === 0 ? 'Main colour' : `Colour ${at + 1}`}
                value={colour}
                onChange={(value) => setColours(colours.with(at, value))}
              />
              <IconButton label={`Remove colour ${at + 1}`} onClick={() => setColours(colours.toSpliced(at, 1))}>
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
        {colours.length < COLOUR_LIMIT && (
          <Button
            size="sm"
            className="mt-2"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setColours([...colours, '#3b49df'])}
          >
            Add a colour
          </Button>
        )}
        <p className="mt-2 text-sm text-muted">
          The first is the main one: buttons and links of a starter. Where it is too light to be read, a darker shade is
          used.
        </p>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <FontField label="Font of text" value={textFont} onChange={setTextFont} />
        <FontField label="Font of headings" value={headingFont} onChange={setHeadingFont} />
      </div>
      <div className="flex flex-col-reverse gap-2 pt-1 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={save.isPending} disabled={!isComplete}>
          Save brand
        </Button>
      </div>
    </form>
  )
}

interface ColourInputProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function ColourInput({ label, value, onChange }: ColourInputProps) {
  const isColour = HEX.test(value)
  return (
    <>
      <input
        type="color"
        aria-label={`${label}: choose`}
        value={isColour ? value : '#ffffff'}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-12 shrink-0 rounded-control border border-control bg-raised p-1"
      />
      <Input
        aria-label={label}
        aria-invalid={!isColour || undefined}
        className="max-w-36 font-mono"
        maxLength={7}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <span className="min-w-0 flex-1 text-sm text-muted">
        {!isColour ? 'Write it as #3b49df' : label === 'Main colour' ? 'Main' : ''}
      </span>
    </>
  )
}

const OTHER = 'other'

function FontField({ label, value, onChange }: ColourInputProps) {
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
          <option value="">As the letter has it</option>
          {FONTS.map((font) => (
            <option key={font.value} value={font.value}>
              {font.label}
            </option>
          ))}
          <option value={OTHER}>Another</option>
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
