import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type BounceSource, bounceSources } from '#contracts/bounces/bounces.ts'
import { api } from '#web/api.ts'
import { fieldError, showRefusal } from '#web/forms.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { kinds } from './labels.tsx'
import type { AddedSource } from './source-dialogs.tsx'

/** Kinds whose secret is made here. */
const MAKES_SECRET: readonly BounceSource['kind'][] = ['postmark', 'generic']

interface EditProps {
  source: BounceSource
  /** With the new secret, where one was made: it is shown once. */
  onSaved: (source: AddedSource) => void
  onClose: () => void
}

/** Changes the name of a source, and replaces what its service signs with or the password of its mailbox. */
export function EditSourceDialog({ source, onSaved, onClose }: EditProps) {
  const { id, kind } = source
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: {
      name: source.name,
      key: '',
      topicArn: source.topicArn ?? '',
      password: '',
      folder: source.mailbox?.folder ?? '',
      newSecret: false,
    },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ name, key, topicArn, password, folder, newSecret }) => {
    try {
      const body = {
        name,
        ...(key.trim() && { key: key.trim() }),
        ...(kind === 'ses' && topicArn.trim() !== source.topicArn && { topicArn: topicArn.trim() }),
        ...(password && { password }),
        ...(kind === 'imap' && folder !== source.mailbox?.folder && { folder }),
        ...(newSecret && { newSecret: true as const }),
      }
      const saved = await api(bounceSources.update, { params: { id }, body })
      await queries.invalidateQueries({ queryKey: ['bounce-sources'] })
      toast.success('Bounce source saved')
      onSaved(saved)
    } catch (error) {
      showRefusal(setError, ['name', 'key', 'topicArn', 'password', 'folder'], error)
    }
  })
  return (
    <FormDialog
      title="Edit bounce source"
      size="sm"
      action="Save changes"
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={fieldError(errors, 'name', 'Name')}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
      {kind === 'ses' && (
        <Field label="Topic ARN" error={fieldError(errors, 'topicArn', 'Topic ARN')}>
          <Input autoComplete="off" spellCheck={false} {...register('topicArn')} />
        </Field>
      )}
      {kinds[kind].key && kind !== 'ses' && (
        <Field
          label="New key"
          hint="Leave it empty to keep the current one."
          error={fieldError(errors, 'key', 'New key')}
        >
          <Input autoComplete="off" spellCheck={false} {...register('key')} />
        </Field>
      )}
      {kind === 'imap' && (
        <>
          <Field
            label="New password"
            hint="Leave it empty to keep the current one."
            error={fieldError(errors, 'password', 'New password')}
          >
            <Input type="password" autoComplete="new-password" {...register('password')} />
          </Field>
          <Field label="Folder" error={fieldError(errors, 'folder', 'Folder')}>
            <Input spellCheck={false} {...register('folder')} />
          </Field>
        </>
      )}
      {MAKES_SECRET.includes(kind) && (
        <Checkbox
          label="Replace the secret"
          hint="Events are refused until the service uses the new one."
          {...register('newSecret')}
        />
      )}
    </FormDialog>
  )
}
