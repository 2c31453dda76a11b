import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import type { CollectorResult } from '#contracts/collector.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { formatAgo, formatShare } from '#web/ui/format.ts'
import { toast } from '#web/ui/toaster.tsx'
import type { Wording } from './kinds.ts'
import { SourceLink } from './source-link.tsx'
import { countryName, mxWords, typeWords } from './words.ts'

type Col = Column<CollectorResult>
const unknown = <span className="text-muted">unknown</span>

/** What it is beside a plain one: only what one should know before writing. */
export function KindBadges({ result }: { result: CollectorResult }) {
  const { role, free, disposable } = result.valid
  return (
    <span className="inline-flex flex-wrap items-center gap-1 align-middle max-md:justify-end">
      {disposable ? (
        <Badge tone="attention" shape="warning">
          throw-away
        </Badge>
      ) : (
        <Badge>{role ? 'role' : 'person'}</Badge>
      )}
      {free && !disposable && <Badge>free mail</Badge>}
    </span>
  )
}

function CopyValue({ value, shown }: { value: string; shown: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), 2_000)
      },
      () => toast.error('Copying was refused by the browser.'),
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

const who = ({ personName, organisation }: CollectorResult) =>
  [personName, organisation].filter(Boolean).join(', ') || unknown

/** The columns of one kind; widths in shares of the table, because only rows in sight are drawn. */
export function columnsFor({ kind }: Wording, format: (value: string) => string): Col[] {
  const value: Col = {
    id: 'value',
    header: kind === 'email' ? 'Address' : 'Number',
    width: '25%',
    sortable: true,
    cell: (result) => <span title={format(result.value)}>{format(result.value)}</span>,
  }
  const copy: Col = {
    id: 'copy',
    header: <span className="sr-only">Copy</span>,
    width: '3.75rem',
    actions: true,
    wideOnly: true,
    cell: (result) => <CopyValue value={result.value} shown={format(result.value)} />,
  }
  const person: Col = { id: 'who', header: 'Who', width: '16%', cell: who }
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
          { id: 'kind', header: 'Kind', width: '14%', cell: (result) => <KindBadges result={result} /> },
          {
            id: 'mx',
            header: 'Domain',
            width: '11%',
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
            width: '14%',
            cell: ({ country }) => (country ? countryName(country) : unknown),
          },
          { id: 'type', header: 'Type', width: '11%', cell: ({ type }) => (type ? typeWords(type) : unknown) },
        ]
  return [
    value,
    copy,
    person,
    source,
    ...kinds,
    {
      id: 'confidence',
      header: 'Sure',
      width: '8%',
      number: true,
      sortable: true,
      cell: (result) => formatShare(Math.round(result.confidence * 100) / 100),
    },
    {
      id: 'found',
      header: 'Found',
      width: '12%',
      number: true,
      sortable: true,
      cell: (result) => <span title={result.foundAt}>{formatAgo(result.foundAt)}</span>,
    },
  ]
}
