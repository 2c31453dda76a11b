import type { CollectorResult } from '#contracts/collector/collector.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { SourceLink } from '#web/ui/layout/source-link.tsx'
import { formatMoment, formatShare } from '#web/ui/lib/format.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import type { Wording } from '../kinds.ts'
import { countryOrUnknown, isHiddenFromRobots, methodWords, typeWords } from '../labels.ts'

interface ResultPanelProps {
  result: CollectorResult
  wording: Wording
  format: (value: string) => string
  onClose: () => void
}

/** One finding in full: where it stood, in which words, and what is known of it. */
export function ResultPanel({ result, wording, format, onClose }: ResultPanelProps) {
  const { valid, context } = result
  const shown = format(result.value)
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={shown}
      description={[result.personName, result.organization].filter(Boolean).join(', ') || undefined}
      footer={<CopyButton text={result.value}>Copy the {wording.one}</CopyButton>}
    >
      <div className="space-y-5">
        {isHiddenFromRobots(result.method) && (
          <Banner tone="attention">The owner hid it from robots. Consider carefully whether to contact them.</Banner>
        )}
        <blockquote className="border-l-2 border-accent-line pl-3.5 text-base wrap-anywhere text-text">
          {context ? (
            <Marked text={context} value={result.value} />
          ) : (
            <span className="text-muted">No surrounding text.</span>
          )}
        </blockquote>
        <dl className="space-y-3.5">
          <Fact name="Page">
            {result.pageTitle && <span className="block text-ink">{result.pageTitle}</span>}
            <SourceLink url={result.sourceUrl} title="" />
          </Fact>
          <Fact name="Found in">{methodWords(result.method)}</Fact>
          <Fact name="Confidence">{formatShare(Math.round(result.confidence * 100) / 100)}</Fact>
          {wording.kind === 'email' ? <AddressFacts valid={valid} /> : <NumberFacts result={result} />}
          <Fact name="Found">{formatMoment(result.foundAt)}</Fact>
        </dl>
      </div>
    </SidePanel>
  )
}

function AddressFacts({ valid }: { valid: CollectorResult['valid'] }) {
  return (
    <>
      <Fact name="Address type">
        {valid.role
          ? 'A role address, such as info@ or press@, which several people may read'
          : 'Probably a personal address'}
        {valid.free && ', at a free email provider, so treat it as private'}
        {valid.disposable && ', at a disposable email provider'}.
      </Fact>
      <Fact name="Domain accepts email">
        {valid.mx === 'yes' &&
          'Yes, the domain has a mail server. Whether this mailbox exists is unknown, because it was not contacted.'}
        {valid.mx === 'no' && 'No. The domain does not exist or does not accept email, so messages to it would bounce.'}
        {valid.mx === 'unknown' && 'Unknown. No name server has responded yet.'}
      </Fact>
      {!valid.syntax && <Fact name="Format">Not a valid email address. Messages to it may fail.</Fact>}
    </>
  )
}

function NumberFacts({ result }: { result: CollectorResult }) {
  return (
    <>
      <Fact name="Country">{countryOrUnknown(result.country)}</Fact>
      <Fact name="Type">{typeWords(result.type)}</Fact>
      <Fact name="In service">
        Unknown. The number is valid in its country, but it was not called. Whether it is on WhatsApp is also unknown.
      </Fact>
    </>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-base wrap-anywhere text-text">{children}</dd>
    </div>
  )
}

/** Where the value stands in the words around it: as it is written, or for numbers by its digits. */
function findValue(text: string, value: string): [start: number, end: number] | undefined {
  const at = text.toLowerCase().indexOf(value.toLowerCase())
  if (at !== -1) return [at, at + value.length]
  const digits = value.replace(/;ext=.*/, '').replace(/\D/g, '')
  if (!value.startsWith('+') || digits.length < 7) return undefined
  // The national part in any grouping: its last seven digits, and what belongs to the number before them.
  const spread = [...digits.slice(-7)].join('[\\s()./-]*')
  const found = new RegExp(`(?:\\+|\\(|\\d)[\\d\\s()./-]*?${spread}|${spread}`).exec(text)
  return found ? [found.index, found.index + found[0].length] : undefined
}

function Marked({ text, value }: { text: string; value: string }) {
  const place = findValue(text, value)
  if (!place) return text
  const [start, end] = place
  return (
    <>
      {text.slice(0, start)}
      <mark className="rounded-[3px] bg-accent-soft px-0.5 font-medium text-accent-text">{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}
