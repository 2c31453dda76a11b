import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type Tag, tags } from '#contracts/contacts/tags.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

interface TagDialogProps {
  tag: Tag | null
  /** Hears of a tag that was made. */
  onCreated?: (tag: Tag) => void
  onClose: () => void
}

/** Makes a tag, or changes its name. */
export function TagDialog({ tag, onCreated, onClose }: TagDialogProps) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(tags.create.body),
    defaultValues: { name: tag?.name ?? '' },
  })
  const submit = handleSubmit(async (body) => {
    try {
      const saved = tag ? await api(tags.update, { params: { id: tag.id }, body }) : await api(tags.create, { body })
      await queries.invalidateQueries({ queryKey: ['tags'] })
      if (!tag && onCreated) onCreated(saved)
      else toast.success(tag ? 'Tag saved' : `Tag ${saved.name} created`)
      onClose()
    } catch (error) {
      showRefusal(setError, ['name'], error)
    }
  })
  return (
    <FormDialog
      title={tag ? 'Rename tag' : 'Create tag'}
      size="sm"
      action={tag ? 'Save changes' : 'Create tag'}
      busy={formState.isSubmitting}
      error={formState.errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={fieldError(formState.errors, 'name', 'Name')}>
        <Input autoComplete="off" placeholder="VIP" {...register('name')} />
      </Field>
    </FormDialog>
  )
}
