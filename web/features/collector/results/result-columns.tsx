import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import type { CollectorResult } from '#contracts/collector/collector.ts'
import type { Column } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { IconButton } from '#web/ui/form/button.tsx'
import { SourceLink } from '#web/ui/layout/source-link.tsx'
import { formatMoment, formatShare, formatShortMoment } from '#web/ui/lib/format.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import type { Wording } from '../kinds.ts'
import { countryOrUnknown, mxWords, typeWords } from '../labels.ts'

type Col = Column<CollectorResult>
const unknown = <span className="text-muted">unknown</span>

/** What it is: what one should know before writing. */
function Kind({ result }: { result: CollectorResult }) {
  const { role, free, disposable } = result.valid
  if (disposable)
    return (
      <Badge tone="attention" shape="warning">
        disposable
      </Badge>
    )
  return `${role ? 'role' : 'personal'}${free ? ', free provider' : ''}`
}

function CopyValue({ value, shown }: { value: string; shown: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), 2_000)
      },
      () => toast.error('The browser blocked copying.'),
    )
  return (
    <IconButton
      size="sm"
      label={copied ? `${shown} copied` : `Copy ${shown}`}
      onClick={copy}
      className="hover-device:opacity-0 group-hover:opacity-100! focus-visible:opacity-100!"
    >
      {copied ? (
        <Check aria-hidden="true" className="size-3.5 text-good-text" />
      ) : (
        <Copy aria-hidden="true" className="size-3.5" />
      )}
    </IconButton>
  )
}

/** A finding with whom it belongs to under it, where the page says so. */
function Value({ result, shown }: { result: CollectorResult; shown: string }) {
  const who = [result.personName, result.organization].filter(Boolean).join(', ')
  return (
    <>
      <span className="block leading-5 md:truncate" title={shown}>
        {shown}
      </span>
      {who && <span className="block text-sm leading-4 font-normal text-muted md:truncate">{who}</span>}
    </>
  )
}

/** The columns of one kind; widths in shares of the table, because only rows in sight are drawn. */
export function columnsFor({ kind }: Wording, format: (value: string) => string): Col[] {
  const value: Col = {
    id: 'value',
    header: kind === 'email' ? 'Address' : 'Number',
    width: '29%',
    sortable: true,
    cell: (result) => <Value result={result} shown={format(result.value)} />,
  }
  const copy: Col = {
    id: 'copy',
    header: <span className="sr-only">Copy</span>,
    width: '3.25rem',
    actions: true,
    wideOnly: true,
    cell: (result) => <CopyValue value={result.value} shown={format(result.value)} />,
  }
  const source: Col = {
    id: 'source',
    header: 'Found on',
    width: '22%',
    sortable: true,
    cell: (result) => <SourceLink url={result.sourceUrl} title={result.pageTitle} />,
  }
  const kinds: Col[] =
    kind === 'email'
      ? [
          { id: 'kind', header: 'Type', width: '15%', cell: (result) => <Kind result={result} /> },
          {
            id: 'mx',
            header: 'Domain',
            width: '13%',
            cell: (result) =>
              result.valid.mx === 'no' ? (
                <span className="text-harm-text">{mxWords.no}</span>
              ) : result.valid.mx === 'yes' ? (
                mxWords.yes
              ) : (
                unknown
              ),
          },
        ]
      : [
          {
            id: 'country',
            header: 'Country',
            width: '15%',
            cell: ({ country }) => (country ? countryOrUnknown(country) : unknown),
          },
          { id: 'type', header: 'Type', width: '13%', cell: ({ type }) => (type ? typeWords(type) : unknown) },
        ]
  return [
    value,
    copy,
    source,
    ...kinds,
    {
      id: 'confidence',
      header: 'Confidence',
      width: '8%',
      number: true,
      sortable: true,
      cell: (result) => formatShare(Math.round(result.confidence * 100) / 100),
    },
    {
      id: 'found',
      header: 'Found',
      width: '8.5%',
      number: true,
      sortable: true,
      cell: (result) => <span title={formatMoment(result.foundAt)}>{formatShortMoment(result.foundAt)}</span>,
    },
  ]
}
