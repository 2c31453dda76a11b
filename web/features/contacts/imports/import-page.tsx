import { useNavigate, useSearchParams } from 'react-router'
import type { ImportJob } from '#contracts/contacts/imports.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { useImports } from '../queries.ts'
import { ImportForm } from './import-form.tsx'
import { formatImportResult } from './labels.ts'

export const meta = () => [{ title: 'Import contacts · Postlark' }]

export default function ImportPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const earlier = useImports()
  return (
    <>
      <PageHeader
        back={{ to: '/contacts', label: 'Contacts' }}
        title="Import contacts"
        description="From a CSV or Excel file, or pasted from a spreadsheet."
      />
      <div className="max-w-3xl space-y-6">
        <Card className="pt-2">
          <ImportForm
            listId={search.get('list') ?? undefined}
            onStarted={(id) => navigate(`/contacts/imports/${id}`)}
          />
        </Card>
        {earlier.data && earlier.data.items.length > 0 && (
          <Card title="Previous imports" flush>
            <DataTable
              label="Previous imports"
              columns={columns}
              rows={earlier.data.items}
              rowKey={(job) => job.id}
              href={(job) => `/contacts/imports/${job.id}`}
            />
          </Card>
        )}
      </div>
    </>
  )
}

const columns: Column<ImportJob>[] = [
  { id: 'file', header: 'File', cell: (job) => job.fileName },
  { id: 'state', header: 'Status', cell: (job) => <ImportState job={job} /> },
  { id: 'result', header: 'Result', cell: (job) => (job.state === 'queued' ? '' : formatImportResult(job)) },
  { id: 'when', header: 'Started', number: true, cell: (job) => formatMoment(job.createdAt) },
]

function ImportState({ job }: { job: ImportJob }) {
  if (job.state === 'done')
    return (
      <Badge tone="good" shape="check">
        Done
      </Badge>
    )
  if (job.state === 'failed')
    return (
      <Badge tone="harm" shape="cross">
        Failed
      </Badge>
    )
  return (
    <Badge tone="accent" shape={job.state === 'running' ? 'running' : 'clock'}>
      {job.state === 'running' ? 'Running' : 'Queued'}
    </Badge>
  )
}
