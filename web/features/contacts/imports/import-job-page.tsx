import { useEffect } from 'react'
import { useParams } from 'react-router'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { useImport } from '../queries.ts'
import { ImportProgress } from './import-progress.tsx'

export const meta = () => [{ title: 'Import · Postlark' }]

export default function ImportJobPage() {
  const { id = '' } = useParams()
  const { data: job } = useImport(id)
  const running = job?.state === 'running'
  const share = running ? Math.round(job.progress * 100) : null
  useEffect(() => {
    document.title = share === null ? 'Import · Postlark' : `${share}% · Import · Postlark`
  }, [share])
  return (
    <>
      <PageHeader
        title={job ? job.fileName : 'Import'}
        description={job && `Started ${formatMoment(job.createdAt)}.`}
        back={{ to: '/contacts/import', label: 'Import' }}
        action={
          job?.state === 'done' && (
            <ButtonLink kind="primary" to={job.listId ? `/contacts?list=${job.listId}` : '/contacts'}>
              View contacts
            </ButtonLink>
          )
        }
      />
      <div className="max-w-3xl">
        <ImportProgress id={id} />
      </div>
    </>
  )
}
