import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type WhatsAppTemplate, whatsappTemplates } from '#contracts/whatsapp-templates.ts'
import { api, messageOf } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { LetterDrawing, SearchDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterChips } from '#web/ui/filter-chips.tsx'
import { formatAgo, plural } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { UrlSelect } from '#web/ui/url-select.tsx'
import { NeedsNumber } from './needs-number.tsx'
import { useNumbers } from './queries.ts'
import { TemplatePanel } from './template-panel.tsx'
import { useWhatsAppTemplates } from './template-queries.ts'
import { categoryInWords, languageInWords, reasonInWords, templateQuality, templateState } from './words.ts'

export const meta = () => [{ title: 'WhatsApp templates · Postlark' }]

export default function TemplatesPage() {
  const hasNumber = (useNumbers().data?.items.length ?? 0) > 0
  return (
    <>
      <PageHeader
        title="WhatsApp templates"
        description="Messages with places for your values. Meta reads each before it may be sent."
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
      toast.success(`${plural(found, 'template')} at Meta: ${added} new here, ${removed} gone`),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['whatsapp'] }),
  })
  return (
    <Button
      busy={sync.isPending}
      icon={<RefreshCw aria-hidden="true" className="size-4" />}
      onClick={() => sync.mutate()}
    >
      Read from Meta again
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
        {numbers.length > 1 && (
          <UrlSelect
            param="number"
            label="Number"
            all="All numbers"
            className="w-auto!"
            options={numbers.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <FilterChips
          param="status"
          label="Status"
          options={['APPROVED', 'PENDING', 'REJECTED', 'PAUSED'].map((value) => ({
            value,
            label: templateState(value).label,
          }))}
        />
        {syncedAt && <span className="ml-auto text-sm text-muted">Read from Meta {formatAgo(syncedAt)}</span>}
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
        title="No template is left"
        action={<ButtonLink to="/whatsapp-sender/templates">Show all</ButtonLink>}
      >
        None has this status.
      </EmptyState>
    )
  return (
    <EmptyState
      drawing={<LetterDrawing />}
      title="No template yet"
      action={
        <ButtonLink kind="primary" to="/whatsapp-sender/templates/new">
          Create template
        </ButtonLink>
      }
    >
      Whoever did not write in the last 24 hours can only be reached with one.
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
