import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { api } from '#web/api.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment, formatNumber, plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import type { Wording } from '../kinds.ts'
import { isMoving, useJobs } from '../queries.ts'
import { JobBadge } from '../states.tsx'

/** The crawl jobs there were, newest first. */
export function Earlier({ wording }: { wording: Wording }) {
  const pages = useCursorPages()
  const [removing, setRemoving] = useState<CrawlJob | null>(null)
  const query = useJobs({ kind: wording.kind, cursor: pages.cursor, limit: 20 })
  return (
    <Card title="Scrapes" flush className="mt-8">
      <PagedTable
        label="Scrapes"
        query={query}
        pages={pages}
        failure="The scrapes could not be loaded"
        columns={[...columns, actionsColumn(setRemoving)]}
        rowKey={(job) => job.id}
        href={(job) => `${wording.path}/${job.id}`}
        empty={
          <EmptyState drawing={<SearchDrawing />} title="No scrapes yet">
            Your scrapes appear here, with the pages that were read, the {wording.many} found, and their source pages.
          </EmptyState>
        }
      />
      <RemoveJob job={removing} wording={wording} onClose={() => setRemoving(null)} />
    </Card>
  )
}

const columns: Column<CrawlJob>[] = [
  {
    id: 'name',
    header: 'Sites',
    cell: (job) => <span className="block wrap-anywhere md:max-w-72 md:truncate">{job.name}</span>,
  },
  { id: 'state', header: 'Status', cell: (job) => <JobBadge state={job.state} /> },
  { id: 'found', header: 'Found', number: true, cell: (job) => formatNumber(job.found) },
  { id: 'pages', header: 'Pages read', number: true, cell: (job) => formatNumber(job.pagesFetched) },
  { id: 'when', header: 'Started', number: true, cell: (job) => formatMoment(job.createdAt) },
]

function actionsColumn(onRemove: (job: CrawlJob) => void): Column<CrawlJob> {
  return {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    actions: true,
    cell: (job) =>
      isMoving(job.state) ? null : (
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${job.name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem harm onSelect={() => onRemove(job)}>
            Remove scrape
          </MenuItem>
        </Menu>
      ),
  }
}

function RemoveJob({ job, wording, onClose }: { job: CrawlJob | null; wording: Wording; onClose: () => void }) {
  const queries = useQueryClient()
  if (!job) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${job.name}?`}
      action="Remove scrape"
      typed={job.name}
      onConfirm={async () => {
        await api(collector.remove, { params: { id: job.id } })
        await queries.invalidateQueries({ queryKey: ['crawl-jobs', 'list'] })
      }}
    >
      {job.found > 0
        ? `This deletes its ${plural(job.found, wording.one, wording.many)}. Contacts you created from them are kept, with their sources.`
        : 'It has no results.'}
    </ConfirmDialog>
  )
}
