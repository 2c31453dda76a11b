import { useState } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { PeopleDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
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
                header: 'State',
                cell: (row) => <Badge tone={row.state === 'sent' ? 'good' : 'neutral'}>{row.state}</Badge>,
              },
              { id: 'sent', header: 'Sent', number: true, cell: (row) => row.sent },
            ]}
            rows={rows}
            rowKey={(row) => row.id}
            selection={{ selected, onChange: setSelected, actions: <Button size="sm">Delete them</Button> }}
          />
        </Card>
      </Part>
      <Part title="Figures and progress">
        <Stat label="Opened" value="1,204" note="26 machines apart" />
        <Stat label="Bounced" value="unknown" />
        <ProgressBar
          className="w-full"
          label="Sending"
          legend
          parts={[
            { label: 'sent', value: 3_904, tone: 'good' },
            { label: 'failed', value: 9, tone: 'harm' },
          ]}
          total={4_812}
        />
        <Stepper
          label="Steps"
          current={step}
          onChoose={setStep}
          steps={[
            { id: 'template', label: 'Template', answer: 'Newsletter', done: true },
            { id: 'recipients', label: 'Recipients', done: false, open: true },
          ]}
        />
        <Tabs
          label="Parts"
          tabs={[
            { value: 'html', label: 'HTML', content: 'What a mail program shows.' },
            { value: 'text', label: 'Text', content: 'What a plain one shows.' },
          ]}
        />
      </Part>
      <Part title="Banners">
        {(['info', 'good', 'attention', 'harm'] as const).map((tone) => (
          <Banner key={tone} tone={tone} title={`A banner of tone ${tone}`} className="w-full">
            It stays where it belongs.
          </Banner>
        ))}
      </Part>
      <Part title="Waiting, empty, failed">
        <Card className="w-full">
          <SkeletonRows rows={3} />
        </Card>
        <Spinner />
        <Card className="w-full">
          <EmptyState drawing={<PeopleDrawing />} title="Nobody here yet" action={<Button>Import contacts</Button>}>
            A CSV or XLSX file with a column of addresses is enough.
          </EmptyState>
        </Card>
        <Card className="w-full">
          <ErrorState
            title="The contacts could not be loaded"
            error={new Error('The server could not be reached. Check the connection, then try again.')}
            onRetry={() => undefined}
          />
        </Card>
      </Part>
    </>
  )
}
