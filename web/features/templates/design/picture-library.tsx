import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type LibraryPicture, pictures } from '#contracts/pictures.ts'
import { api, messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { FileDrop } from '#web/ui/file-drop.tsx'
import { Input } from '#web/ui/input.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const KEY = ['pictures']

async function upload(file: File): Promise<LibraryPicture> {
  const form = new FormData()
  form.append('image', file, file.name)
  return api(pictures.add, { form })
}

/** The pictures at hand: choose one, add one, say what it shows. */
export function PictureLibrary(props: { onChoose: (picture: LibraryPicture) => void; onClose: () => void }) {
  const queries = useQueryClient()
  const found = useQuery({ queryKey: KEY, queryFn: () => api(pictures.list, { query: { limit: 100 } }) })
  const [chosen, setChosen] = useState<LibraryPicture | null>(null)
  const [alt, setAlt] = useState('')
  const choose = (picture: LibraryPicture) => {
    setChosen(picture)
    setAlt(picture.alt)
  }
  const again = () => queries.invalidateQueries({ queryKey: KEY })
  const add = useMutation({
    mutationFn: upload,
    onSuccess: (picture) => {
      choose(picture)
      void again()
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => api(pictures.remove, { params: { id } }),
    onSuccess: (_, id) => {
      if (chosen?.id === id) setChosen(null)
      void again()
    },
  })
  const put = useMutation({
    mutationFn: async () => {
      if (!chosen) throw new Error('Choose a picture first.')
      if (alt.trim() === chosen.alt) return chosen
      return api(pictures.change, { params: { id: chosen.id }, body: { alt: alt.trim() } })
    },
    onSuccess: (picture) => {
      void again()
      props.onChoose(picture)
    },
  })
  const error = add.error ?? remove.error ?? put.error ?? found.error
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Pictures"
      size="lg"
      footer={
        <Button kind="primary" disabled={!chosen} busy={put.isPending} onClick={() => put.mutate()}>
          Put this picture in
        </Button>
      }
    >
      <div className="space-y-4">
        {error && <FormBanner error={messageOf(error)} />}
        <FileDrop
          label={add.isPending ? 'Uploading…' : 'Upload a picture'}
          hint="JPEG, PNG, WebP or GIF, up to 5 MB"
          accept="image/jpeg,image/png,image/webp,image/gif"
          disabled={add.isPending}
          onFile={(file) => add.mutate(file)}
        />
        {chosen && (
          <Field label="What it shows" hint="Read aloud, and shown where pictures are blocked.">
            <Input value={alt} maxLength={300} onChange={(event) => setAlt(event.target.value)} />
          </Field>
        )}
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {found.isPending && [0, 1, 2, 3].map((key) => <Skeleton key={key} className="h-28" />)}
          {found.data?.items.map((picture) => (
            <li key={picture.id} className="relative">
              <button
                type="button"
                aria-pressed={chosen?.id === picture.id}
                onClick={() => choose(picture)}
                className="block w-full overflow-hidden rounded-card border bg-surface text-left hover:border-control aria-pressed:border-accent-text aria-pressed:outline-1 aria-pressed:outline-accent-text"
              >
                <img
                  src={picture.url}
                  alt={picture.alt}
                  loading="lazy"
                  className="h-24 w-full bg-sunken object-contain"
                />
                <span className="block truncate px-2 py-1.5 text-sm text-text">
                  {picture.name} · {picture.width} × {picture.height}
                </span>
              </button>
              <IconButton
                size="sm"
                kind="secondary"
                label={`Remove ${picture.name} from the library`}
                className="absolute top-1 right-1"
                disabled={remove.isPending}
                onClick={() => remove.mutate(picture.id)}
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
        {found.data?.items.length === 0 && (
          <p className="text-base text-muted">No picture yet. The ones you upload stay at hand for every letter.</p>
        )}
      </div>
    </Dialog>
  )
}
