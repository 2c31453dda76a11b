import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Paperclip, X } from 'lucide-react'
import { useState } from 'react'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api, errorMessage } from '#web/api.ts'
import { CampaignStep, type Draft } from '#web/features/campaigns/index.ts'
import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { IconButton } from '#web/ui/form/button.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { formatBytes } from '#web/ui/lib/format.ts'

/** Files grow by 78/57 on their way: 25 MB of message are so many bytes on disk. */
const ROOM = Math.floor((25_000_000 / 78) * 57)

/** Create campaign, with the files that go out with every message. */
export function FilesStep({ draft }: { draft: Draft }) {
  return (
    <div className="space-y-8">
      <CampaignStep draft={draft} />
      <Files draft={draft} />
    </div>
  )
}

function Files({ draft }: { draft: Draft }) {
  const queries = useQueryClient()
  const files = draft.query.data?.attachments ?? []
  const [refused, setRefused] = useState<string>()
  const used = files.reduce((sum, file) => sum + file.size, 0)
  const read = (id: string) => queries.invalidateQueries({ queryKey: ['campaigns', id] })
  const attach = useMutation({
    // The last step waits for both.
    mutationKey: ['campaigns', draft.id],
    mutationFn: async (file: File) => {
      const form = new FormData()
      form.append('file', file, file.name)
      const id = await draft.ensure()
      await api(campaigns.attach, { params: { id }, form })
      await read(id)
    },
  })
  const detach = useMutation({
    mutationKey: ['campaigns', draft.id],
    mutationFn: async (attachmentId: string) => {
      await api(campaigns.detach, { params: { id: draft.id, attachmentId } })
      await read(draft.id)
    },
  })
  function choose(file: File) {
    attach.reset()
    // Said before the file has traveled in vain; the server says the same.
    const tooLarge = used + file.size > ROOM
    setRefused(
      tooLarge
        ? `${file.name} is ${formatBytes(file.size)}, but only ${formatBytes(Math.max(0, ROOM - used))} is left. Gmail accepts messages of up to 25 MB, and attachments grow by a third when they are sent. The file was not attached. A link to the file has no such limit.`
        : undefined,
    )
    if (!tooLarge) attach.mutate(file)
  }
  const error =
    refused ?? (attach.isError ? errorMessage(attach.error) : detach.isError ? errorMessage(detach.error) : undefined)
  return (
    <section aria-label="Files" className="max-w-xl space-y-3">
      <h3 className="text-sm font-medium text-ink">
        Files <span className="font-normal text-muted">(optional)</span>
      </h3>
      {files.length > 0 && (
        <ul aria-label="Attached files" className="divide-y rounded-card border bg-surface">
          {files.map((file) => (
            <li key={file.id} className="flex items-center gap-3 px-4 py-2 text-base">
              <Paperclip aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 wrap-anywhere text-ink">{file.name}</span>
              <span className="shrink-0 text-sm text-muted tabular-nums">{formatBytes(file.size)}</span>
              <IconButton
                size="sm"
                label={`Remove ${file.name}`}
                disabled={detach.isPending}
                onClick={() => detach.mutate(file.id)}
              >
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <FileDrop
        label={attach.isPending ? 'Uploading the file…' : files.length > 0 ? 'Attach another file' : 'Attach a file'}
        hint="Up to 20 files, about 18 MB in total. They are attached to every email."
        accept="*/*"
        disabled={attach.isPending}
        onFile={choose}
        error={error}
      />
      {files.length > 0 && (
        <div className="space-y-1.5">
          <ProgressBar
            label="Attachment space"
            total={ROOM}
            parts={[{ label: 'Used', value: Math.min(used, ROOM), tone: 'accent' }]}
          />
          <p className="text-sm text-muted tabular-nums">
            {formatBytes(used)} of about {formatBytes(ROOM)} used.
          </p>
        </div>
      )}
    </section>
  )
}
