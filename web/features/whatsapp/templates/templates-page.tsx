import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type WhatsAppTemplate, whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatAgo, plural } from '#web/ui/lib/format.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { EmailDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { categoryInWords, languageInWords, reasonInWords, templateQuality, templateState } from '../labels.ts'
import { NeedsNumber } from '../numbers/needs-number.tsx'
import { NumberFilter } from '../numbers/number-filter.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { useWhatsAppTemplates } from './queries.ts'
import { TemplatePanel } from './template-panel.tsx'

export const meta = () => [{ title: 'WhatsApp templates · Postlark' }]

export default function TemplatesPage() {
  const hasNumber = (useNumbers().data?.items.length ?? 0) > 0
  return (
    <>
      <PageHeader
        title="WhatsApp templates"
        description="Messages with variables. Meta reviews each template before you can send it."
        action={
          hasNumber && (
            <>
              <SyncButton />
              <ButtonLink
                kind="primary"
                to="/whatsapp-sender/templates/new"
                icon={<Plus aria-hidden="true" className="size-4" />}
              >
                Create template
              </ButtonLink>
            </>
          )
        }
      />
      <NeedsNumber what="Templates belong to the business account of a number.">
        <Templates />
      </NeedsNumber>
    </>
  )
}

/** Reads the templates of every number's business account from Meta again. */
function SyncButton() {
  const numbers = useNumbers().data?.items ?? []
  const queries = useQueryClient()
  const sync = useMutation({
    mutationFn: async () => {
      const sum = { found: 0, added: 0, removed: 0 }
      const oneEach = new Map(numbers.map((one) => [one.businessAccountId, one.id]))
      for (const accountId of oneEach.values()) {
        const { found, added, removed } = await api(whatsappTemplates.sync, { body: { accountId } })
        sum.found += found
        sum.added += added
        sum.removed += removed
      }
      return sum
    },
    onSuccess: ({ found, added, removed }) =>
      toast.success(`${plural(found, 'template')} found at Meta: ${added} added, ${removed} removed`),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['whatsapp'] }),
  })
  return (
    <Button
      busy={sync.isPending}
      icon={<RefreshCw aria-hidden="true" className="size-4" />}
      onClick={() => sync.mutate()}
    >
      Sync with Meta
    </Button>
  )
}

function Templates() {
  const [search] = useSearchParams()
  const status = search.get('status') ?? undefined
  const accountId = search.get('number') ?? undefined
  const templates = useWhatsAppTemplates({ accountId, status })
  const numbers = useNumbers().data?.items ?? []
  const [open, setOpen] = useState<string | null>(null)
  const rows = templates.data?.items
  const shown = rows?.find(({ id }) => id === open)
  if (templates.isError && !templates.data)
    return (
      <Card flush>
        <ErrorState
          title="The templates could not be loaded"
          error={templates.error}
          onRetry={() => templates.refetch()}
        />
      </Card>
    )
  const syncedAt = numbers.map((one) => one.templatesAt).find(Boolean)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <NumberFilter className="w-auto!" />
        <FilterChips
          param="status"
          label="Status"
          options={['APPROVED', 'PENDING', 'REJECTED', 'PAUSED'].map((value) => ({
            value,
            label: templateState(value).label,
          }))}
        />
        {syncedAt && <span className="ml-auto text-sm text-muted">Synced with Meta {formatAgo(syncedAt)}</span>}
      </div>
      <Card flush>
        <DataTable
          label="WhatsApp templates"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          onOpen={({ id }) => setOpen(id)}
          empty={<NoTemplates isFiltered={status !== undefined || accountId !== undefined} />}
        />
      </Card>
      {shown && <TemplatePanel template={shown} onClose={() => setOpen(null)} />}
    </>
  )
}

function NoTemplates({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        drawing={<SearchDrawing />}
        title="No templates found"
        action={<ButtonLink to="/whatsapp-sender/templates">Show all</ButtonLink>}
      >
        No template matches these filters.
      </EmptyState>
    )
  return (
    <EmptyState
      drawing={<EmailDrawing />}
      title="No templates yet"
      action={
        <ButtonLink kind="primary" to="/whatsapp-sender/templates/new">
          Create template
        </ButtonLink>
      }
    >
      You need a template to reach people who have not written in the last 24 hours.
    </EmptyState>
  )
}

const columns: Column<WhatsAppTemplate>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, reason }) => {
      const state = templateState(status)
      return (
        <span className="flex flex-wrap items-center gap-x-2 max-md:justify-end md:max-w-64">
          <Badge tone={state.tone} shape={state.shape}>
            {state.label}
          </Badge>
          {reasonInWords(reason) && (
            <span className="text-sm whitespace-normal text-muted">{reasonInWords(reason)}</span>
          )}
        </span>
      )
    },
  },
  {
    id: 'quality',
    header: 'Quality',
    cell: ({ quality }) => {
      const { tone, shape, label } = templateQuality[quality]
      return (
        <Badge tone={tone} shape={shape}>
          {label}
        </Badge>
      )
    },
  },
  { id: 'category', header: 'Category', cell: ({ category }) => categoryInWords(category) },
  { id: 'language', header: 'Language', cell: ({ language }) => languageInWords(language) },
  {
    id: 'text',
    header: 'Text',
    wideOnly: true,
    cell: ({ body }) => <span className="block max-w-56 truncate text-muted">{body}</span>,
  },
]
