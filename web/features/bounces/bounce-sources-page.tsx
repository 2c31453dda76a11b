import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { type BounceSource, bounceSources } from '#contracts/bounces/bounces.ts'
import { api, errorMessage } from '#web/api.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { ServerDrawing } from '#web/ui/theme/drawings.tsx'
import { CopyLine } from './copy-line.tsx'
import { EditSourceDialog } from './edit-dialog.tsx'
import { kinds, SourceState } from './labels.tsx'
import { useBounceSources } from './queries.ts'
import { AddedDialog, type AddedSource, AddSourceDialog } from './source-dialogs.tsx'

export const meta = () => [{ title: 'Bounce sources · Postlark' }]

export default function BounceSourcesPage() {
  const { data, ...query } = useBounceSources()
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<AddedSource | null>(null)
  const [editing, setEditing] = useState<BounceSource | null>(null)
  const [deleting, setDeleting] = useState<BounceSource | null>(null)
  const add = (
    <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setAdding(true)}>
      Add bounce source
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Bounce sources"
        description="How Postlark learns about bounces and complaints after an email was accepted. Those addresses are suppressed."
        action={add}
      />
      <Card flush>
        {query.isPending && <SkeletonRows rows={3} />}
        {query.isError && !data && (
          <ErrorState
            title="The bounce sources could not be loaded"
            error={query.error}
            onRetry={() => query.refetch()}
          />
        )}
        {data?.items.length === 0 && (
          <EmptyState drawing={<ServerDrawing />} title="No bounce sources yet" action={add}>
            Do you send through Amazon SES, SendGrid, Mailgun, Postmark or another service? Add it here, and late
            bounces and spam reports reach Postlark. With a mail server of your own, add the return path.
          </EmptyState>
        )}
        {data && data.items.length > 0 && (
          <ul className="divide-y">
            {data.items.map((source) => (
              <SourceRow
                key={source.id}
                source={source}
                onEdit={() => setEditing(source)}
                onDelete={() => setDeleting(source)}
              />
            ))}
          </ul>
        )}
      </Card>
      {adding && (
        <AddSourceDialog
          onAdded={(source) => {
            setAdding(false)
            setAdded(source)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {added && <AddedDialog source={added} onClose={() => setAdded(null)} />}
      {editing && (
        <EditSourceDialog
          source={editing}
          onSaved={(source) => {
            setEditing(null)
            if (source.secret) setAdded(source)
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {deleting && <DeleteSource source={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

interface RowProps {
  source: BounceSource
  onEdit: () => void
  onDelete: () => void
}

/** Says whether anything has come, or whether the mailbox can be opened. */
async function testSource({ id, name }: BounceSource): Promise<void> {
  try {
    const { ok, message } = await api(bounceSources.test, { params: { id } })
    if (ok) toast.success(message)
    else toast(message)
  } catch (error) {
    toast.error(`${name} could not be tested. ${errorMessage(error)}`)
  }
}

function SourceRow({ source, onEdit, onDelete }: RowProps) {
  const { name, kind, state, stateText, webhookUrl, address, receivedAt } = source
  return (
    <li className="space-y-2 px-5 py-4">
      <div className="flex items-start gap-x-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="max-w-full truncate text-base font-medium text-ink">{name}</span>
            <SourceState state={state} />
          </p>
          <p className="text-sm wrap-anywhere text-muted">
            {name !== kinds[kind].label && `${kinds[kind].label} · `}
            {stateText}
            {receivedAt && (
              <>
                {' '}
                Last event <TimeAgo at={receivedAt} />.
              </>
            )}
          </p>
        </div>
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => testSource(source)}>Test source</MenuItem>
          <MenuItem onSelect={onEdit}>Edit source</MenuItem>
          <MenuSeparator />
          <MenuItem harm onSelect={onDelete}>
            Delete source
          </MenuItem>
        </Menu>
      </div>
      {state === 'waiting' && (
        <>
          <p className="text-sm text-text">{kinds[kind].steps}</p>
          {webhookUrl && <CopyLine label="Webhook URL" text={webhookUrl} />}
          {address && <CopyLine label="Feedback address" text={address} />}
        </>
      )}
    </li>
  )
}

function DeleteSource({ source, onClose }: { source: BounceSource; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${source.name}?`}
      action="Delete source"
      onConfirm={async () => {
        await api(bounceSources.remove, { params: { id: source.id } })
        await queries.invalidateQueries({ queryKey: ['bounce-sources'] })
      }}
    >
      {source.webhookUrl && 'Its webhook URL stops working. '}
      {source.address && 'Its feedback address stops working. '}What it reported stays.
    </ConfirmDialog>
  )
}
