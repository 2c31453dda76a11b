import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { LibraryImage } from '#contracts/images/images.ts'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { uploadableImages, useImageLibrary } from '../use-image-library.ts'

/** The images at hand: choose one, add one, say what it shows. */
export function ImageLibrary(props: { onChoose: (image: LibraryImage) => void; onClose: () => void }) {
  const { found, add, setAlt: saveAlt, remove } = useImageLibrary()
  const [chosen, setChosen] = useState<LibraryImage | null>(null)
  const [alt, setAlt] = useState('')
  const choose = (image: LibraryImage) => {
    setChosen(image)
    setAlt(image.alt)
  }
  const upload = (file: File) => add.mutate(file, { onSuccess: choose })
  const drop = (id: string) => remove.mutate(id, { onSuccess: () => chosen?.id === id && setChosen(null) })
  function insert() {
    if (!chosen) return
    if (alt.trim() === chosen.alt) props.onChoose(chosen)
    else saveAlt.mutate({ id: chosen.id, alt: alt.trim() }, { onSuccess: props.onChoose })
  }
  const error = add.error ?? remove.error ?? saveAlt.error ?? found.error
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Images"
      size="lg"
      footer={
        <Button kind="primary" disabled={!chosen} busy={saveAlt.isPending} onClick={insert}>
          Insert image
        </Button>
      }
    >
      <div className="space-y-4">
        {error && <FormBanner error={errorMessage(error)} />}
        <FileDrop
          label={add.isPending ? 'Uploading…' : 'Upload image'}
          {...uploadableImages}
          disabled={add.isPending}
          onFile={upload}
        />
        {chosen && (
          <Field label="Alt text" hint="Read aloud, and shown where images are blocked.">
            <Input value={alt} maxLength={300} onChange={(event) => setAlt(event.target.value)} />
          </Field>
        )}
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {found.isPending && [0, 1, 2, 3].map((key) => <Skeleton key={key} className="h-28" />)}
          {found.data?.items.map((image) => (
            <li key={image.id} className="relative">
              <button
                type="button"
                aria-pressed={chosen?.id === image.id}
                onClick={() => choose(image)}
                className="block w-full overflow-hidden rounded-card border bg-surface text-left hover:border-control aria-pressed:border-accent-text aria-pressed:outline-1 aria-pressed:outline-accent-text"
              >
                <img src={image.url} alt={image.alt} loading="lazy" className="h-24 w-full bg-sunken object-contain" />
                <span className="block truncate px-2 py-1.5 text-sm text-text">
                  {image.name} · {image.width} × {image.height}
                </span>
              </button>
              <IconButton
                size="sm"
                kind="secondary"
                label={`Remove ${image.name} from the library`}
                className="absolute top-1 right-1"
                disabled={remove.isPending}
                onClick={() => drop(image.id)}
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
        {found.data?.items.length === 0 && (
          <p className="text-base text-muted">No images yet. Images you upload are available in every email.</p>
        )}
      </div>
    </Dialog>
  )
}
