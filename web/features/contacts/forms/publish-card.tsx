import { useState } from 'react'
import type { Form } from '#contracts/contacts/forms.ts'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'

const ways = ({ proofOfWork }: Form) => ({
  url: {
    label: 'Link to the page',
    hint: proofOfWork
      ? 'Works everywhere. People need JavaScript for the proof of work.'
      : 'Works everywhere, without JavaScript.',
  },
  html: {
    label: 'HTML for your website',
    hint: proofOfWork
      ? 'Plain HTML without a script: style it as you like. The proof of work follows on our page, with what people typed.'
      : 'Plain HTML without a script: style it as you like. Only a script can tell how fast it was filled in.',
  },
  script: {
    label: 'Script for your website',
    hint: 'The same form, which stays on your page when it is sent. List your website under Sites.',
  },
})

/** Where people find a form, and what came of it. */
export function PublishCard({ form }: { form: Form }) {
  const [way, setWay] = useState<'url' | 'html' | 'script'>('url')
  const text = way === 'url' ? form.url : form.embed[way]
  return (
    <Card title="Publish">
      <dl className="mb-4 grid grid-cols-3 gap-2 pt-1">
        <Figure name="Views" value={form.views} />
        <Figure name="Submissions" value={form.submissions} />
        <Figure name="Confirmed" value={form.confirmations} />
      </dl>
      <RadioGroup
        legend="Use as"
        options={(['url', 'html', 'script'] as const).map((value) => ({ value, ...ways(form)[value] }))}
        value={way}
        onChange={setWay}
      />
      <pre className="mt-3 max-h-56 overflow-auto rounded-control border bg-page p-3 text-xs whitespace-pre-wrap wrap-anywhere text-text">
        {text}
      </pre>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <CopyButton text={text} />
        <a href={form.url} target="_blank" rel="noreferrer" className="text-sm text-accent-text hover:underline">
          Open the page
        </a>
      </div>
    </Card>
  )
}

const Figure = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="text-lg font-semibold text-ink tabular-nums">{formatNumber(value)}</dd>
  </div>
)
