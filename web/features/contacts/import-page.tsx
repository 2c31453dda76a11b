import { useNavigate, useSearchParams } from 'react-router'
import type { ImportJob } from '#contracts/contacts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { formatMoment } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ContactTabs } from './contact-tabs.tsx'
import { ImportForm } from './import-form.tsx'
import { resultOf } from './import-words.ts'
import { useImports } from './queries.ts'

export const meta = () => [{ title: 'Import contacts · Postlark' }]

export default function ImportPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const earlier = useImports()
  return (
    <>
      <PageHeader title="Import contacts" description="From a CSV or Excel file, or pasted from a spreadsheet." />
      <ContactTabs />
      <div className="max-w-3xl space-y-6">
        <Card className="pt-2">
          <ImportForm
            listId={search.get('list') ?? undefined}
            onStarted={(id) => navigate(`/contacts/imports/${id}`)}
          />
        </Card>
        {earlier.data && earlier.data.items.length > 0 && (
          <Card title="Earlier imports" flush>
            <DataTable
              label="Earlier imports"
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
  { id: 'state', header: 'State', cell: (job) => <ImportState job={job} /> },
  { id: 'result', header: 'Result', cell: (job) => (job.state === 'queued' ? '' : resultOf(job)) },
  { id: 'when', header: 'When', number: true, cell: (job) => formatMoment(job.createdAt) },
]

function ImportState({ job }: { job: ImportJob }) {
  if (job.state === 'done')
    return (
      <Badge tone="good" shape="check">
        done
      </Badge>
    )
  if (job.state === 'failed')
    return (
      <Badge tone="harm" shape="cross">
        stopped
      </Badge>
    )
  return (
    <Badge tone="accent" shape={job.state === 'running' ? 'running' : 'clock'}>
      {job.state === 'running' ? 'running' : 'waiting'}
    </Badge>
  )
}
