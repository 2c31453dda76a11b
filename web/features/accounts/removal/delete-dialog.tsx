import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { accounts, type User } from '#contracts/accounts/accounts.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { clearSession } from '#web/session/session.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface DeleteDialogProps {
  user: User
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Says what goes and what stays, has the address typed, and afterwards that it is done. */
export function DeleteDialog({ user, open, onOpenChange }: DeleteDialogProps) {
  const [done, setDone] = useState(false)
  function leave() {
    // As a new document: while this one shows the page, a session that ends leads to the login page.
    addEventListener('pagehide', clearSession, { once: true })
    location.replace('/')
  }
  if (done)
    return (
      <Dialog open onOpenChange={leave} title="Account deleted" size="sm">
        <div className="space-y-4 pb-3">
          <p className="text-text">
            You are logged out everywhere, and nothing more is sent. Your workspace data is being removed now.
          </p>
          <div className="flex sm:justify-end">
            <Button kind="primary" onClick={leave}>
              Go to the home page
            </Button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Delete your account permanently?" size="sm" isForm>
      <DeleteForm user={user} onKeep={() => onOpenChange(false)} onDone={() => setDone(true)} />
    </Dialog>
  )
}

function DeleteForm({ user, onKeep, onDone }: { user: User; onKeep: () => void; onDone: () => void }) {
  const { register, handleSubmit, setError, watch, formState } = useForm({
    resolver: checkedBy(accounts.remove.body),
    defaultValues: { email: '', password: user.hasPassword ? '' : undefined },
  })
  const typed = watch('email').trim().toLowerCase() === user.email.toLowerCase()
  const submit = handleSubmit(async (body) => {
    try {
      await api(accounts.remove, { body })
      onDone()
    } catch (error) {
      showRefusal(setError, ['email', 'password'], error)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="space-y-4 pb-3">
      <FormBanner error={formState.errors.root?.message} />
      <div className="space-y-2 text-text">
        <p>
          Contacts, lists, templates, senders, campaigns and reports are deleted and can’t be restored. Campaigns that
          are sending stop. Links in emails you sent stop working.
        </p>
        <p>
          Suppressed addresses are kept as hashes that no one can read. If you come back with this address, these people
          stay suppressed.
        </p>
      </div>
      <Field
        label={
          <>
            Type <strong className="break-all">{user.email}</strong> to confirm
          </>
        }
        error={fieldError(formState.errors, 'email', 'The address')}
      >
        <Input type="email" autoComplete="off" spellCheck={false} {...register('email')} />
      </Field>
      {user.hasPassword && (
        <Field label="Your password" error={fieldError(formState.errors, 'password', 'Password')}>
          <PasswordInput autoComplete="current-password" {...register('password')} />
        </Field>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onKeep}>Keep account</Button>
        <Button kind="danger" type="submit" busy={formState.isSubmitting} disabled={!typed}>
          Delete my account
        </Button>
      </div>
    </form>
  )
}
