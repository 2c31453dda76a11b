import type { DomainRecord } from '#contracts/senders/domains.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { RecordState } from './labels.tsx'

const keyTexts = {
  next: 'New key',
  active: null,
  retired: 'Old key: leave this record until it is no longer listed',
} as const

/** One record to publish: name and value to copy, what DNS has, and one sentence about it. `isRotating`: another key signs meanwhile. */
export function RecordRow({ record, isRotating }: { record: DomainRecord; isRotating: boolean }) {
  const { type, name, value, state, message, required, found, key, isChecked } = record
  const differs = state === 'fail' && found.length > 0
  return (
    <li className="space-y-3 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <RecordState state={state} required={required} isChecked={isChecked} />
        {!required && key !== 'retired' && (
          <Badge>{isRotating && key === 'next' ? 'Not in use yet' : 'Optional'}</Badge>
        )}
        {key && keyTexts[key] && (isRotating || key !== 'next') && (
          <span className="text-sm text-muted">{keyTexts[key]}</span>
        )}
        <p
          className={`min-w-0 flex-1 basis-64 text-sm wrap-anywhere ${state === 'fail' ? 'text-harm-text' : 'text-text'}`}
        >
          {message}
        </p>
      </div>
      <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[4rem_minmax(0,1fr)_auto] sm:items-center">
        <dt className="text-muted">Type</dt>
        <dd className="font-mono text-ink sm:col-span-2">{type}</dd>
        <Copied label="Name" text={name} />
        <Copied label="Value" text={value} />
        {differs && (
          <>
            <dt className="text-muted">Found</dt>
            <dd className="space-y-1 font-mono wrap-anywhere text-harm-text sm:col-span-2">
              {found.map((text) => (
                <span key={text} className="block">
                  {text}
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
    </li>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="rounded-control bg-sunken px-2 py-1 font-mono wrap-anywhere text-ink">{text}</dd>
      <dd className="justify-self-start">
        <CopyButton size="sm" text={text} aria-label={`Copy ${label.toLowerCase()}`} />
      </dd>
    </>
  )
}
