import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { type Form, forms } from '#contracts/contacts/forms.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { type FormDraft, toBody, toDraft } from './draft.ts'
import { FormPreview } from './form-preview.tsx'
import { ContentCard, ListsCard, SettingsCard } from './form-settings.tsx'
import { PublishCard } from './publish-card.tsx'
import { useSignUpForm } from './queries.ts'

export const meta = () => [{ title: 'Form · Postlark' }]

/** The builder, for a new form or one there is. */
export default function FormPage() {
  const { id } = useParams()
  const { data, ...query } = useSignUpForm(id)
  const isLoading = id !== undefined && !data
  return (
    <>
      <PageHeader
        title={data?.name ?? (id === undefined ? 'New form' : 'Form')}
        back={{ to: '/contacts/forms', label: 'Forms' }}
        description="People sign up with it themselves, and their consent is recorded."
      />
      {isLoading && query.isPending && <Skeleton className="h-64 rounded-card" />}
      {isLoading && query.isError && (
        <Card flush>
          <ErrorState title="The form could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        </Card>
      )}
      {!isLoading && <Builder key={id ?? 'new'} form={data} />}
    </>
  )
}

export type FormErrors = Partial<Record<keyof FormDraft | 'form', string>>

/** What is wrong, under the field it is about as far as there is one. */
function toErrors(error: unknown): FormErrors {
  const details = error instanceof ApiError ? (error.details ?? []) : []
  const message = errorMessage(error)
  const field = details[0]?.field?.split('.')[0] as keyof FormDraft | undefined
  if (error instanceof ApiError && error.code === 'slug_taken') return { slug: message }
  return field && field !== 'fields' ? { [field]: message, form: message } : { form: message }
}

function Builder({ form }: { form: Form | undefined }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => toDraft(form))
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<FormErrors>({})
  function change(part: Partial<FormDraft>) {
    setDraft((old) => ({ ...old, ...part }))
    setErrors({})
  }
  async function save(event: React.FormEvent) {
    event.preventDefault()
    if (draft.name.trim() === '') return setErrors({ name: 'Name is required.' })
    if (draft.lists.length === 0) return setErrors({ lists: 'Choose at least one list.' })
    setBusy(true)
    setErrors({})
    try {
      const body = toBody(draft)
      const saved = form
        ? await api(forms.update, { params: { id: form.id }, body })
        : await api(forms.create, { body })
      queries.setQueryData(['forms', saved.id], saved)
      await queries.invalidateQueries({ queryKey: ['forms'], exact: true })
      toast.success('Form saved')
      if (!form) await navigate(`/contacts/forms/${saved.id}`, { replace: true })
    } catch (error) {
      setErrors(toErrors(error))
    } finally {
      setBusy(false)
    }
  }
  const part = { draft, errors, onChange: change }
  return (
    <form
      noValidate
      onSubmit={(event) => void save(event)}
      className="grid items-start gap-5 wide:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]"
    >
      <div className="min-w-0 space-y-5">
        <FormBanner error={errors.form} />
        <ContentCard {...part} />
        <ListsCard {...part} />
        <SettingsCard {...part} />
        <Button kind="primary" type="submit" busy={busy}>
          {form ? 'Save changes' : 'Create form'}
        </Button>
      </div>
      <div className="min-w-0 space-y-5 wide:sticky wide:top-6">
        <FormPreview draft={draft} />
        {form && <PublishCard form={form} />}
      </div>
    </form>
  )
}
