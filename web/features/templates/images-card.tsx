import { useState } from 'react'
import type { LibraryImage } from '#contracts/images/images.ts'
import { errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { uploadableImages, useImageLibrary } from './use-image-library.ts'

/** The image library: upload, describe, copy the address, remove. */
export function ImagesCard() {
  const { found, add } = useImageLibrary()
  const [opened, setOpened] = useState<LibraryImage | null>(null)
  const [removing, setRemoving] = useState<LibraryImage | null>(null)
  return (
    <Card title="Images" description="Ready to insert in any email.">
      <div className="space-y-4">
        {add.isError && <FormBanner error={`The image was not uploaded. ${errorMessage(add.error)}`} />}
        <FileDrop
          label={add.isPending ? 'Uploading…' : 'Upload image'}
          {...uploadableImages}
          disabled={add.isPending}
          onFile={(file) => add.mutate(file)}
        />
        {found.isError && !found.data && (
          <ErrorState title="The images could not be loaded" error={found.error} onRetry={() => found.refetch()} />
        )}
        {found.data?.items.length === 0 && (
          <p className="text-base text-muted">No images yet. Images you upload here or in the editor appear here.</p>
        )}
        <ul aria-label="Images" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {found.isPending && [0, 1, 2].map((key) => <Skeleton key={key} className="h-32 rounded-card" />)}
          {found.data?.items.map((image) => (
            <li key={image.id} className="min-w-0">
              <button
                type="button"
                onClick={() => setOpened(image)}
                className="block w-full overflow-hidden rounded-card border bg-surface text-left transition-colors hover:border-control"
              >
                <img src={image.url} alt={image.alt} loading="lazy" className="h-28 w-full bg-sunken object-contain" />
                <span className="block truncate px-2.5 pt-2 text-sm font-medium text-ink">{image.name}</span>
                <span className="block truncate px-2.5 pb-2 text-sm text-muted">
                  {image.width} × {image.height}
                  {image.alt === '' && ' · no alt text'}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {opened && (
        <ImageDialog
          key={opened.id}
          image={opened}
          onClose={() => setOpened(null)}
          onRemove={() => {
            setRemoving(opened)
            setOpened(null)
          }}
        />
      )}
      <RemoveImage image={removing} onClose={() => setRemoving(null)} />
    </Card>
  )
}

interface ImageDialogProps {
  image: LibraryImage
  onClose: () => void
  onRemove: () => void
}

function ImageDialog({ image, onClose, onRemove }: ImageDialogProps) {
  const { setAlt } = useImageLibrary()
  const [alt, change] = useState(image.alt)
  const save = () =>
    setAlt.mutate(
      { id: image.id, alt: alt.trim() },
      {
        onSuccess: () => {
          toast('Alt text saved')
          onClose()
        },
      },
    )
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={image.name}>
      <form
        className="space-y-4 pb-4"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        {setAlt.isError && <FormBanner error={`The alt text was not saved. ${errorMessage(setAlt.error)}`} />}
        <img src={image.url} alt="" className="max-h-64 w-full rounded-card border bg-sunken object-contain" />
        <Field label="Alt text" hint="Read aloud, and shown where images are blocked.">
          <Input value={alt} maxLength={300} autoComplete="off" onChange={(event) => change(event.target.value)} />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button kind="quiet" className="mr-auto text-harm-text!" onClick={onRemove}>
            Remove image
          </Button>
          <CopyButton text={image.url}>Copy URL</CopyButton>
          <Button kind="primary" type="submit" busy={setAlt.isPending} disabled={alt.trim() === image.alt}>
            Save changes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function RemoveImage({ image, onClose }: { image: LibraryImage | null; onClose: () => void }) {
  const { remove } = useImageLibrary()
  if (!image) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${image.name}?`}
      action="Remove image"
      onConfirm={() => remove.mutateAsync(image.id)}
    >
      It disappears from the library. Emails that show it keep showing it.
    </ConfirmDialog>
  )
}
