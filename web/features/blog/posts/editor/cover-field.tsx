import { ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { useImageSource } from './use-image-source.ts'

/** The image over a post: a stored address or a file that was chosen or dropped, seen before it is saved. */
export function CoverField({ cover, onChange }: { cover: string | File; onChange: (cover: string | File) => void }) {
  const source = useImageSource(cover)
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the field inside chooses a file by keyboard
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const dropped = [...event.dataTransfer.files].find(({ type }) => type.startsWith('image/'))
        if (dropped) onChange(dropped)
      }}
      className={cx(
        'space-y-3 rounded-card border border-dashed p-3 transition-colors',
        isOver ? 'border-accent-text bg-accent-soft' : 'border-control/60',
      )}
    >
      {source && (
        <div className="space-y-2">
          <img
            src={source}
            alt="Cover preview"
            className="aspect-[16/9] w-full max-w-80 rounded-card border bg-sunken object-cover"
          />
          <Button size="sm" onClick={() => onChange('')}>
            Remove cover
          </Button>
        </div>
      )}
      <Field label="Cover image" optional hint="Maximum 5MB. Formats: JPEG, PNG, WebP.">
        <Input
          type="file"
          accept="image/*"
          className="h-auto! cursor-pointer py-1.5 file:mr-3 file:rounded-control file:border-0 file:bg-accent-soft file:px-2.5 file:py-1 file:text-sm file:font-medium file:text-accent-text"
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            if (chosen) onChange(chosen)
          }}
        />
      </Field>
      {!source && (
        <p className="flex items-center gap-2 text-sm text-muted">
          <ImagePlus aria-hidden="true" className="size-4 shrink-0" /> Drop an image here. Without a cover, lists show
          the Postlark logo.
        </p>
      )}
    </div>
  )
}
