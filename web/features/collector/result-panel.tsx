import type { CollectorResult } from '#contracts/collector.ts'
import { Banner } from '#web/ui/banner.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { formatMoment, formatShare } from '#web/ui/format.ts'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { SourceLink } from '#web/ui/source-link.tsx'
import type { Wording } from './kinds.ts'
import { countryName, isHiddenFromRobots, methodWords, typeWords } from './words.ts'

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
      description={[result.personName, result.organisation].filter(Boolean).join(', ') || undefined}
      footer={<CopyButton text={result.value}>Copy the {wording.one}</CopyButton>}
    >
      <div className="space-y-5">
        {isHiddenFromRobots(result.method) && (
          <Banner tone="attention">
            Its owner took care that robots do not read it. Think twice before you write to it.
          </Banner>
        )}
        <blockquote className="border-l-2 border-accent-line pl-3.5 text-base wrap-anywhere text-text">
          {context ? (
            <Marked text={context} value={result.value} />
          ) : (
            <span className="text-muted">No words stood around it.</span>
          )}
        </blockquote>
        <dl className="space-y-3.5">
          <Fact name="Page">
            {result.pageTitle && <span className="block text-ink">{result.pageTitle}</span>}
            <SourceLink url={result.sourceUrl} title="" />
          </Fact>
          <Fact name="How it stood there">{methodWords(result.method)}</Fact>
          <Fact name="How sure it is a contact">{formatShare(Math.round(result.confidence * 100) / 100)}</Fact>
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
      <Fact name="Whose it is">
        {valid.role
          ? 'A role’s, such as info@ or press@: several people may read it'
          : 'A person’s, as far as one can tell'}
        {valid.free && ', at a free mail provider: take it for private'}
        {valid.disposable && ', at a provider of throw-away addresses'}.
      </Fact>
      <Fact name="Whether its domain takes mail">
        {valid.mx === 'yes' &&
          'Yes, it names a mail server. Whether this mailbox exists is not known; nobody was asked.'}
        {valid.mx === 'no' && 'No: the domain does not exist or takes no mail. A letter would come back.'}
        {valid.mx === 'unknown' && 'Unknown: no name server has answered yet.'}
      </Fact>
      {!valid.syntax && <Fact name="How it is written">Not as an address should be; mail to it may not leave.</Fact>}
    </>
  )
}

function NumberFacts({ result }: { result: CollectorResult }) {
  return (
    <>
      <Fact name="Country">{countryName(result.country)}</Fact>
      <Fact name="Type">{typeWords(result.type)}</Fact>
      <Fact name="Whether somebody answers">
        Unknown. It fits the numbering plan of its country; nobody called it. Whether it is on WhatsApp is not known
        either.
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
function placeOf(text: string, value: string): [start: number, end: number] | undefined {
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
  const place = placeOf(text, value)
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
