import { ImagePlus } from 'lucide-react'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useImageSource } from './use-image-source.ts'

/** The image over a post: a stored address or a file that was just chosen, seen before it is saved. */
export function CoverField({ cover, onChange }: { cover: string | File; onChange: (cover: string | File) => void }) {
  const source = useImageSource(cover)
  return (
    <div className="space-y-3">
      {source && (
        <div className="flex items-start gap-4">
          <img
            src={source}
            alt="Cover preview"
            className="aspect-[16/9] w-56 max-w-full rounded-card border bg-sunken object-cover"
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
          <ImagePlus aria-hidden="true" className="size-4" /> Without a cover, lists show the Postlark logo.
        </p>
      )}
    </div>
  )
}
