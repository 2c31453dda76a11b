import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { ApiError } from '#contracts/client.ts'
import { type SandboxTemplate, sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { api, errorMessage } from '#web/api.ts'
import { categoryInWords, languageInWords, reasonInWords, templateState } from '#web/features/whatsapp/index.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { Switch } from '#web/ui/form/switch.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { EmailDrawing } from '#web/ui/theme/drawings.tsx'
import { SandboxSection } from '../sandbox-section.tsx'
import { NoEmulator } from './no-emulator.tsx'
import { useReviews } from './queries.ts'
import { ReviewPanel } from './review-panel.tsx'

export const meta = () => [{ title: 'Template review · Postlark' }, { name: 'robots', content: 'noindex' }]

type Template = z.infer<typeof SandboxTemplate>

const states = ['PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED']

/** Meta's reviewer where Meta is played on this machine: the workspace's templates, all for admins. */
export default function ReviewsPage() {
  const reviews = useReviews()
  const [search] = useSearchParams()
  const [open, setOpen] = useState<string | null>(null)
  if (reviews.error instanceof ApiError && reviews.error.status === 404) return <NoEmulator />
  const all = reviews.data?.items
  const status = search.get('status')
  const rows = all?.filter((one) => !status || one.status === status)
  const shown = all?.find(({ id }) => id === open)
  return (
    <SandboxSection>
      <PageHeader
        title="Template review"
        description="Act as Meta’s reviewer: approve, reject or pause templates. The sender is notified by webhook."
        action={reviews.data && <ByHand byHand={reviews.data.byHand} />}
      />
      <div className="mb-4">
        <FilterChips
          param="status"
          label="Status"
          options={states.map((value) => {
            const count = all?.filter((one) => one.status === value).length ?? 0
            return { value, label: templateState(value).label, ...(value === 'PENDING' && count > 0 && { count }) }
          })}
        />
      </div>
      <Card flush>
        {reviews.error && !all ? (
          <ErrorState
            title="The templates could not be loaded"
            error={reviews.error}
            onRetry={() => reviews.refetch()}
          />
        ) : (
          <DataTable
            label="Templates to review"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            onOpen={({ id }) => setOpen(id)}
            empty={
              <EmptyState
                drawing={<EmailDrawing />}
                title={status ? 'No template has this status' : 'No templates yet'}
              >
                Submitted templates appear here immediately.
              </EmptyState>
            }
          />
        )}
      </Card>
      {shown && <ReviewPanel template={shown} onClose={() => setOpen(null)} />}
    </SandboxSection>
  )
}

/** Whether new templates wait for a decision here. */
function ByHand({ byHand }: { byHand: boolean }) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (on: boolean) => api(sandboxWhatsApp.reviewByHand, { body: { byHand: on } }),
    onSuccess: (_, on) => toast(on ? 'New templates wait for your review' : 'New templates are reviewed automatically'),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sandbox', 'phone', 'templates'] }),
  })
  return (
    <div className="flex items-center gap-2.5 text-base text-text">
      <span aria-hidden="true">Review new templates myself</span>
      <Switch
        label="Review new templates myself"
        on={byHand}
        disabled={change.isPending}
        onChange={(on) => change.mutate(on)}
      />
    </div>
  )
}

const columns: Column<Template>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, reason }) => {
      const { tone, shape, label } = templateState(status)
      return (
        <span className="flex flex-wrap items-center gap-x-2 max-md:justify-end md:max-w-64">
          <Badge tone={tone} shape={shape}>
            {label}
          </Badge>
          {reasonInWords(reason) && (
            <span className="text-sm whitespace-normal text-muted">{reasonInWords(reason)}</span>
          )}
        </span>
      )
    },
  },
  { id: 'business', header: 'Business', cell: ({ business }) => <span className="wrap-anywhere">{business}</span> },
  { id: 'category', header: 'Category', cell: ({ category }) => categoryInWords(category) },
  { id: 'language', header: 'Language', wideOnly: true, cell: ({ language }) => languageInWords(language) },
]
