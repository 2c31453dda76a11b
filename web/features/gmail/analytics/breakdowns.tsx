import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { GmailAnalytics, GmailFigures } from '#contracts/gmail/analytics.ts'
import { channelPages } from '#web/channel-pages.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { stepInWords } from './filters.tsx'
import { type EngagementKind, engagementWords } from './labels.ts'

/** Emails, engaged, rate and machines of a row; what was not counted is unknown. */
function figureColumns<Row extends GmailFigures>(kind: EngagementKind): Column<Row>[] {
  const unknown = <span className="text-muted">unknown</span>
  return [
    { id: 'emails', header: 'Emails', number: true, cell: (row) => formatNumber(row.counted + row.unknown) },
    {
      id: 'engaged',
      header: engagementWords[kind].Did,
      number: true,
      cell: (row) => (row.counted > 0 ? formatNumber(row.engaged) : unknown),
    },
    {
      id: 'rate',
      header: engagementWords[kind].rate,
      number: true,
      cell: (row) => (row.rate === null ? unknown : <strong className="font-medium">{formatShare(row.rate)}</strong>),
    },
    {
      id: 'machine',
      header: 'By bots',
      number: true,
      cell: (row) => (row.counted > 0 ? <span className="text-muted">{formatNumber(row.machine)}</span> : unknown),
    },
  ]
}

type CampaignRow = GmailAnalytics['campaigns'][number]

/** Campaign by campaign; those chosen can be compared. */
export function Campaigns({ kind, campaigns }: { kind: EngagementKind; campaigns: CampaignRow[] }) {
  const [, setSearch] = useSearchParams()
  const [selected, setSelected] = useState(new Set<string>())
  const compare = () => {
    setSearch((old) => withParam(old, 'campaigns', [...selected].join(',')))
    setSelected(new Set())
  }
  return (
    <Card title="By campaign" description="Choose two or more to compare them." flush>
      <DataTable
        label="By campaign"
        columns={[
          {
            id: 'name',
            header: 'Campaign',
            cell: (row) => <span className="block wrap-anywhere md:max-w-72 md:truncate">{row.name}</span>,
          },
          ...figureColumns<CampaignRow>(kind),
        ]}
        rows={campaigns}
        rowKey={(row) => row.id}
        href={(row) => `${channelPages.gmail.reports}/${row.id}`}
        selection={{
          selected,
          onChange: setSelected,
          actions: (
            <Button size="sm" kind="primary" disabled={selected.size < 2 || selected.size > 50} onClick={compare}>
              Compare campaigns
            </Button>
          ),
        }}
      />
    </Card>
  )
}

type AccountRow = GmailAnalytics['accounts'][number]

/** Account by account. */
export function Accounts({ kind, accounts }: { kind: EngagementKind; accounts: AccountRow[] }) {
  return (
    <Card title="By account" flush>
      <DataTable
        label="By account"
        columns={[
          {
            id: 'account',
            header: 'Account',
            cell: (row) => (
              <span className="wrap-anywhere">
                {row.address ?? <span className="text-muted">a disconnected account</span>}
              </span>
            ),
          },
          ...figureColumns<AccountRow>(kind),
        ]}
        rows={accounts}
        rowKey={(row) => row.senderId ?? ''}
      />
    </Card>
  )
}

type StepRow = GmailAnalytics['steps'][number]

/** The first email and its follow-ups. */
export function Steps({ kind, steps }: { kind: EngagementKind; steps: StepRow[] }) {
  return (
    <Card title="By step" flush>
      <DataTable
        label="By step"
        columns={[
          { id: 'step', header: 'Step', cell: (row) => stepInWords(row.step) },
          ...figureColumns<StepRow>(kind),
        ]}
        rows={steps}
        rowKey={(row) => String(row.step)}
      />
    </Card>
  )
}
