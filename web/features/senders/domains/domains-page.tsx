import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { domains } from '#contracts/senders/domains.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { ServerDrawing } from '#web/ui/theme/drawings.tsx'
import { DomainState, summary } from './labels.tsx'
import { useDomains } from './queries.ts'

export const meta = () => [{ title: 'Sending domains · Postlark' }]

export default function DomainsPage() {
  const { data, ...query } = useDomains()
  const [adding, setAdding] = useState(false)
  const add = (
    <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setAdding(true)}>
      Add domain
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Sending domains"
        description="Domains you send from, with the DNS records that Gmail, Yahoo and Outlook require."
        action={add}
      />
      <Card flush>
        {query.isPending && <SkeletonRows rows={3} />}
        {query.isError && !data && (
          <ErrorState title="The domains could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        )}
        {data?.items.length === 0 && (
          <EmptyState drawing={<ServerDrawing />} title="No sending domains yet" action={add}>
            Add the domain of your From address. Postlark shows the records to publish and signs your emails once they
            are there.
          </EmptyState>
        )}
        {data && data.items.length > 0 && (
          <ul className="divide-y">
            {data.items.map((domain) => (
              <li key={domain.id}>
                <Link
                  to={`/sending-domains/${domain.id}`}
                  className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 hover:bg-hover"
                >
                  <span className="min-w-0 flex-1 basis-64">
                    <span className="block truncate text-base font-medium text-ink">{domain.domain}</span>
                    <span className="block text-sm wrap-anywhere text-muted">{summary(domain)}</span>
                  </span>
                  <DomainState state={domain.state} />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({ resolver: checkedBy(domains.create.body), defaultValues: { domain: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (body) => {
    try {
      const added = await api(domains.create, { body })
      queries.setQueryData(['domains', added.id], added)
      await queries.invalidateQueries({ queryKey: ['domains'], exact: true })
      await navigate(`/sending-domains/${added.id}`)
    } catch (error) {
      showRefusal(form.setError, ['domain'], error)
    }
  })
  return (
    <FormDialog
      title="Add domain"
      description="The part of your From address after the @."
      action="Add domain"
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Domain"
        hint="A subdomain, such as news.example.com, keeps campaigns apart from your other email."
        error={fieldError(errors, 'domain', 'Domain')}
      >
        <Input autoComplete="off" spellCheck={false} placeholder="example.com" {...form.register('domain')} />
      </Field>
    </FormDialog>
  )
}
