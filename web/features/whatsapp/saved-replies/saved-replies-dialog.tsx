import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { MAX_SAVED_REPLIES, type SavedReply } from '#contracts/whatsapp/saved-replies.ts'
import { errorMessage } from '#web/api.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { variableNames } from './fill-variables.ts'
import { useSavedReplies, useSavedReplyChange, useSavedReplyRemoval } from './queries.ts'

/** What is being written: a new reply, or one that exists. */
type Draft = Pick<SavedReply, 'name' | 'text'> & { id: string | null }

/** The saved replies of the workspace: read, created, changed and deleted in one window. */
export function SavedRepliesDialog({ onClose }: { onClose: () => void }) {
  const replies = useSavedReplies()
  const removal = useSavedReplyRemoval()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [leaving, setLeaving] = useState<SavedReply | null>(null)
  const items = replies.data?.items ?? []
  const create = (
    <Button
      kind="primary"
      icon={<Plus aria-hidden="true" className="size-4" />}
      disabled={items.length >= MAX_SAVED_REPLIES}
      onClick={() => setDraft({ id: null, name: '', text: '' })}
    >
      Create saved reply
    </Button>
  )
  if (draft) return <Edit draft={draft} onClose={() => setDraft(null)} />
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title="Saved replies"
        description="Type / in a reply to insert one. Everyone in this workspace can use them."
        footer={items.length > 0 && create}
      >
        {replies.isPending ? (
          <SkeletonRows rows={3} />
        ) : !replies.data ? (
          <ErrorState
            title="The saved replies could not be loaded"
            error={replies.error}
            onRetry={() => replies.refetch()}
          />
        ) : items.length === 0 ? (
          <EmptyState title="No saved replies yet" action={create}>
            Save the answers you write often, such as opening hours or how to return an order.
          </EmptyState>
        ) : (
          <ul aria-label="Saved replies" className="divide-y">
            {items.map((reply) => (
              <li key={reply.id} className="flex items-start gap-2 py-3">
                <div className="min-w-0 flex-1">
                  <p className="font-medium wrap-anywhere text-ink">{reply.name}</p>
                  <p className="line-clamp-2 text-sm wrap-anywhere text-muted">{reply.text}</p>
                </div>
                <IconButton size="sm" label={`Edit ${reply.name}`} onClick={() => setDraft(reply)}>
                  <Pencil aria-hidden="true" className="size-4" />
                </IconButton>
                <IconButton size="sm" label={`Delete ${reply.name}`} onClick={() => setLeaving(reply)}>
                  <Trash2 aria-hidden="true" className="size-4" />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
      </Dialog>
      {leaving && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setLeaving(null)}
          title={`Delete “${leaving.name}”?`}
          action="Delete saved reply"
          onConfirm={() => removal.mutateAsync(leaving.id)}
        >
          It can no longer be inserted. Messages you already sent are not changed.
        </ConfirmDialog>
      )}
    </>
  )
}

function Edit({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const change = useSavedReplyChange()
  const [typed, setTyped] = useState({ name: draft.name, text: draft.text })
  const [wrong, setWrong] = useState<{ name?: string; text?: string }>({})
  const set = (part: Partial<typeof typed>) => setTyped((old) => ({ ...old, ...part }))
  async function save() {
    const faults = {
      ...(!typed.name.trim() && { name: 'Enter a name.' }),
      ...(!typed.text.trim() && { text: 'Enter a text.' }),
    }
    setWrong(faults)
    if (Object.keys(faults).length > 0) return
    await change.mutateAsync({ id: draft.id, name: typed.name.trim(), text: typed.text.trim() })
    toast.success('Reply saved')
    onClose()
  }
  return (
    <FormDialog
      title={draft.id === null ? 'Create saved reply' : 'Edit saved reply'}
      action={draft.id === null ? 'Create saved reply' : 'Save changes'}
      busy={change.isPending}
      error={change.error && errorMessage(change.error)}
      onSubmit={() => save().catch(() => undefined)}
      onClose={onClose}
    >
      <Field label="Name" hint="What you type after / to find it." error={wrong.name}>
        <Input
          autoComplete="off"
          maxLength={60}
          placeholder="Opening hours"
          value={typed.name}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      <Field label="Text" error={wrong.text}>
        <Textarea
          rows={5}
          maxLength={4_096}
          value={typed.text}
          onChange={(event) => set({ text: event.target.value })}
        />
      </Field>
      <fieldset className="flex flex-wrap items-center gap-1.5">
        <legend className="mb-1.5 text-sm text-muted">Insert a variable. It is filled in from the contact.</legend>
        {variableNames.map((name) => (
          <Button key={name} size="sm" onClick={() => set({ text: `${typed.text}{{${name}}}` })}>
            {name.replace('attributes.', '')}
          </Button>
        ))}
      </fieldset>
    </FormDialog>
  )
}
