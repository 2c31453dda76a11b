import { X } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { AuditAction, type AuditLine, admin } from '#contracts/admin/admin.ts'
import { api } from '#web/api.ts'
import { exportFile } from '#web/export-file.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatMoment, plural } from '#web/ui/lib/format.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { AuditPanel, isOwn, Who } from './audit-panel.tsx'
import { DayFilter, dayEnd, dayStart } from './day-filter.tsx'
import { actionWords, formatAction, formatDetails } from './labels.ts'
import { useAdminUser, useAudit } from './queries.ts'

export const meta = () => [{ title: 'Audit log · Admin · Postlark' }]

/** What the address asks for, as the API takes it. */
function readFilter(search: URLSearchParams) {
  const given = (name: string) => search.get(name) ?? ''
  const action = AuditAction.safeParse(given('action'))
  return {
    q: given('q') || undefined,
    user: given('user') || undefined,
    action: action.data,
    since: dayStart(given('from')),
    until: dayEnd(given('to')),
  }
}

/** Who did what to accounts and credentials, newest first. */
export default function AuditPage() {
  const [search] = useSearchParams()
  const filter = readFilter(search)
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Actions on accounts and credentials. Entries are stored for 400 days."
        action={<Export filter={filter} />}
      />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <UrlSearch label="Search by address" className="w-full sm:w-64" />
        <UrlSelect
          param="action"
          label="Action"
          all="All actions"
          options={AuditAction.options
            .map((value) => ({ value, label: actionWords[value] }))
            .sort((a, b) => a.label.localeCompare(b.label))}
          className="w-full sm:w-56"
        />
        <DayFilter />
        {filter.user && <OnlyUser id={filter.user} />}
      </div>
      <Card flush>
        <AuditTable key={JSON.stringify(filter)} filter={filter} />
      </Card>
    </>
  )
}

type AuditPageFilter = ReturnType<typeof readFilter>

function Export({ filter }: { filter: AuditPageFilter }) {
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    await exportFile(() => api(admin.exportAudit, { query: filter }), 'audit.csv')
    setBusy(false)
  }
  return (
    <Button busy={busy} onClick={save}>
      Export CSV
    </Button>
  )
}

/** The filter that came from a user's panel, with the way to take it away. */
function OnlyUser({ id }: { id: string }) {
  const [, setSearch] = useSearchParams()
  const user = useAdminUser(id)
  return (
    <Button size="sm" onClick={() => setSearch((old) => withParam(old, 'user', ''))}>
      <span className="sr-only">Show all users, not only </span>
      <span className="max-w-56 truncate">{user.data?.email ?? `User ${id}`}</span>
      <X aria-hidden="true" className="size-3.5" />
    </Button>
  )
}

const columns: Column<AuditLine>[] = [
  {
    id: 'action',
    header: 'Action',
    cell: (line) => (
      <span className="block truncate md:max-w-64" title={formatDetails(line)}>
        {formatAction(line.action)} <span className="font-normal text-muted">{formatDetails(line)}</span>
      </span>
    ),
  },
  { id: 'actor', header: 'By', cell: (line) => <Who who={line.actor} nobody="unknown" /> },
  {
    id: 'subject',
    header: 'Target',
    cell: (line) =>
      isOwn(line) ? <span className="text-muted">own account</span> : <Who who={line.subject} nobody="-" />,
  },
  { id: 'at', header: 'When', number: true, cell: (line) => formatMoment(line.at) },
]

function AuditTable({ filter }: { filter: AuditPageFilter }) {
  const pages = useCursorPages()
  const [open, setOpen] = useState<AuditLine | null>(null)
  const query = useAudit({ ...filter, cursor: pages.cursor })
  return (
    <>
      {open && <AuditPanel line={open} onClose={() => setOpen(null)} />}
      <PagedTable
        label="Audit log"
        query={query}
        pages={pages}
        failure="The log could not be loaded"
        columns={columns}
        rowKey={(line) => line.id}
        onOpen={setOpen}
        empty={
          <EmptyState
            drawing={<SearchDrawing />}
            title="No entries found"
            action={<ButtonLink to="/admin/audit">Clear filters</ButtonLink>}
          >
            Try another action, user or date.
          </EmptyState>
        }
        count={(total) => plural(total, 'entry', 'entries')}
        uncounted="Too many entries to count"
      />
    </>
  )
}
