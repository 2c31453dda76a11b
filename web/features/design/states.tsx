import { useState } from 'react'
import { DataTable } from '#web/ui/display/data-table.tsx'
import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { Stat } from '#web/ui/display/stat.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Stepper } from '#web/ui/layout/stepper.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { Part } from './part.tsx'

const rows = [
  { id: '1', name: 'Spring workshop', state: 'sent', sent: '4,803' },
  { id: '2', name: 'A question about March', state: 'draft', sent: 'unknown' },
]

/** Tables, figures, and what a screen says while it waits, has nothing, or failed. */
export function States() {
  const [selected, setSelected] = useState(new Set<string>())
  const [step, setStep] = useState('recipients')
  return (
    <>
      <Part title="Table">
        <Card title="Campaigns" flush className="w-full">
          <DataTable
            label="Campaigns"
            columns={[
              { id: 'name', header: 'Name', cell: (row) => row.name },
              {
                id: 'state',
                header: 'Status',
                cell: (row) => <Badge tone={row.state === 'sent' ? 'good' : 'neutral'}>{row.state}</Badge>,
              },
              { id: 'sent', header: 'Sent', number: true, cell: (row) => row.sent },
            ]}
            rows={rows}
            rowKey={(row) => row.id}
            selection={{ selected, onChange: setSelected, actions: <Button size="sm">Delete</Button> }}
          />
        </Card>
      </Part>
      <Part title="Figures and progress">
        <Stat label="Opened" value="1,204" note="26 opens by bots" />
        <Stat label="Bounced" value="unknown" />
        <ProgressBar
          className="w-full"
          label="Sending"
          legend
          parts={[
            { label: 'Sent', value: 3_904, tone: 'good' },
            { label: 'Failed', value: 9, tone: 'harm' },
          ]}
          total={4_812}
        />
        <Stepper
          label="Steps"
          current={step}
          onChoose={setStep}
          steps={[
            { id: 'template', label: 'Template', summary: 'Newsletter', done: true },
            { id: 'recipients', label: 'Recipients', done: false, open: true },
          ]}
        />
        <Tabs
          label="Parts"
          tabs={[
            { value: 'html', label: 'HTML', content: 'As shown in an email app.' },
            { value: 'text', label: 'Text', content: 'As shown in plain-text apps.' },
          ]}
        />
      </Part>
      <Part title="Banners">
        {(['info', 'good', 'attention', 'harm'] as const).map((tone) => (
          <Banner key={tone} tone={tone} title={`A banner of tone ${tone}`} className="w-full">
            It stays in place.
          </Banner>
        ))}
      </Part>
      <Part title="Loading, empty, failed">
        <Card className="w-full">
          <SkeletonRows rows={3} />
        </Card>
        <Spinner />
        <Card className="w-full">
          <EmptyState drawing={<PeopleDrawing />} title="No contacts yet" action={<Button>Import contacts</Button>}>
            Upload a CSV or XLSX file with a column of email addresses.
          </EmptyState>
        </Card>
        <Card className="w-full">
          <ErrorState
            title="The contacts could not be loaded"
            error={new Error('The server could not be reached. Check your connection and try again.')}
            onRetry={() => undefined}
          />
        </Card>
      </Part>
    </>
  )
}
