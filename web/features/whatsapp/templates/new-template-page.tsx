import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { LeaveDialog } from '#web/ui/overlay/leave-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { NeedsNumber } from '../numbers/needs-number.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { PhonePreview } from './phone-preview.tsx'
import { type Faults, faultAt, findFaults } from './template-checks.ts'
import { type Draft, emptyDraft, previewHeader, previewValues, toNewTemplate } from './template-draft.ts'
import { TemplateForm } from './template-form.tsx'

export const meta = () => [{ title: 'New WhatsApp template · Postlark' }]

const LIST = '/whatsapp-sender/templates'

export default function NewTemplatePage() {
  return (
    <>
      <PageHeader
        title="Create a WhatsApp template"
        description="Meta reviews each template, usually in less than a day. The status updates here."
        back={{ to: LIST, label: 'Templates' }}
      />
      <NeedsNumber what="Templates belong to the business account of a number.">
        <Writing />
      </NeedsNumber>
    </>
  )
}

const isWritten = ({ accountId: _, ...draft }: Draft): boolean => {
  const { accountId: __, ...empty } = emptyDraft
  return JSON.stringify(draft) !== JSON.stringify(empty)
}

function Writing() {
  const numbers = useNumbers().data?.items ?? []
  const [draft, setDraft] = useState<Draft>({ ...emptyDraft, accountId: numbers[0]?.id ?? '' })
  const [faults, setFaults] = useState<Faults>({})
  const submit = useSubmit(draft, setFaults)
  const account = numbers.find(({ id }) => id === draft.accountId)
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    // Once something was refused, what is fixed says so at once; nothing new is scolded while it is typed.
    if (Object.keys(faults).length === 0) return
    const left = findFaults(next)
    setFaults((old) => Object.fromEntries(Object.entries(old).filter(([place]) => place in left)))
  }
  return (
    <form
      noValidate
      className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_22rem]"
      onSubmit={(event) => {
        event.preventDefault()
        const found = findFaults(draft)
        setFaults(found)
        if (Object.keys(found).length === 0) submit.mutate()
      }}
    >
      <LeaveDialog isUnsaved={() => isWritten(draft) && !submit.isPending}>
        The template is not submitted. If you leave, what you wrote is lost.
      </LeaveDialog>
      <div className="rounded-card border bg-surface p-5">
        <div className="mb-4 empty:hidden">
          <FormBanner
            error={
              faults.root ??
              (Object.keys(faults).length > 0 ? 'Some fields need fixing. Nothing was submitted to Meta.' : null)
            }
          />
        </div>
        <TemplateForm draft={draft} faults={faults} onChange={change} />
        <div className="mt-6 flex flex-wrap justify-end gap-2 border-t pt-4">
          <ButtonLink to={LIST}>Cancel</ButtonLink>
          <Button kind="primary" type="submit" busy={submit.isPending}>
            {submit.isPending ? 'Submitting to Meta' : 'Submit for review'}
          </Button>
        </div>
      </div>
      <div className="wide:sticky wide:top-6">
        <PhonePreview
          header={previewHeader(draft)}
          body={draft.body}
          footer={draft.footer}
          buttons={draft.buttons}
          values={previewValues(draft)}
          from={account?.verifiedName || account?.name}
        />
        <p className="mt-3 text-center text-sm text-muted">Phone preview with your examples</p>
      </div>
    </form>
  )
}

function useSubmit(draft: Draft, setFaults: (faults: Faults) => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api(whatsappTemplates.create, { body: toNewTemplate(draft) }),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ['whatsapp', 'templates'] })
      toast.success(`${made.name} submitted to Meta for review`)
      await navigate(LIST)
    },
    onError: (error) => {
      const details = error instanceof ApiError ? error.details : []
      const found = Object.fromEntries(details.map(({ field = 'root', message }) => faultAt(field, message)))
      setFaults(details.length > 0 ? found : { root: errorMessage(error) })
    },
  })
}
