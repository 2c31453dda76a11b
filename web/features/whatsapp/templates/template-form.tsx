import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { formatBytes } from '#web/ui/lib/format.ts'
import { languageInWords } from '../labels.ts'
import { useNumbers } from '../numbers/queries.ts'
import { TemplateButtons } from './template-buttons.tsx'
import type { Faults } from './template-checks.ts'
import { type Draft, type HeaderKind, nameFrom, nextVariable, type Sample, variablesIn } from './template-draft.ts'

interface TemplateFormProps {
  draft: Draft
  faults: Faults
  onChange: (part: Partial<Draft>) => void
}

// The languages Meta lists that our users write in most; any other is typed at Meta and read from there.
const languages =
  'af ar az bg bn ca cs da de el en en_GB en_US es es_AR es_ES es_MX et fa fi fr gu he hi hr hu id it ja ko lt lv mk ml mr ms nb nl pa pl pt_BR pt_PT ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh_CN zh_HK zh_TW'.split(
    ' ',
  )

/** The parts of a new template, from its name to its buttons. */
export function TemplateForm({ draft, faults, onChange }: TemplateFormProps) {
  return (
    <div className="space-y-5">
      <Naming draft={draft} faults={faults} onChange={onChange} />
      <RadioGroup
        legend="Category"
        cards
        value={draft.category}
        onChange={(category) => onChange({ category })}
        options={[
          {
            value: 'MARKETING',
            label: 'Marketing',
            hint: 'News, offers, invitations. Choose this if you are not sure.',
          },
          {
            value: 'UTILITY',
            label: 'Utility',
            hint: 'About something they ordered or asked for. Meta moves promotional content to marketing.',
          },
        ]}
      />
      <Head draft={draft} faults={faults} onChange={onChange} />
      <Body draft={draft} faults={faults} onChange={onChange} />
      <Field label="Footer" optional hint="One short line, such as how to opt out." error={faults.footer}>
        <Input maxLength={60} value={draft.footer} onChange={(event) => onChange({ footer: event.target.value })} />
      </Field>
      <TemplateButtons buttons={draft.buttons} faults={faults} onChange={(buttons) => onChange({ buttons })} />
    </div>
  )
}

function Naming({ draft, faults, onChange }: TemplateFormProps) {
  const numbers = useNumbers().data?.items ?? []
  return (
    <>
      {numbers.length > 1 && (
        <Field label="Number" hint="The template belongs to its business account." error={faults.accountId}>
          <Select value={draft.accountId} onChange={(event) => onChange({ accountId: event.target.value })}>
            {numbers.map(({ id, name, displayPhone }) => (
              <option key={id} value={id}>
                {name} · {displayPhone}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" hint="Only visible to you and Meta." error={faults.name}>
          <Input
            autoComplete="off"
            spellCheck={false}
            placeholder="spring_sale"
            value={draft.name}
            onChange={(event) => onChange({ name: nameFrom(event.target.value) })}
          />
        </Field>
        <Field label="Language" error={faults.language}>
          <Combobox
            none="Choose a language"
            value={draft.language}
            onChange={(language) => onChange({ language })}
            options={languages.map((code) => ({ value: code, label: languageInWords(code), note: code }))}
          />
        </Field>
      </div>
    </>
  )
}

const heads: { value: HeaderKind; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'Document' },
]

/** What stands on top: nothing, a line, or a file. */
function Head({ draft, faults, onChange }: TemplateFormProps) {
  const { headerKind } = draft
  return (
    <>
      <Field label="Header" hint="Shown above the text.">
        <Select value={headerKind} onChange={(event) => onChange({ headerKind: event.target.value as HeaderKind })}>
          {heads.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {headerKind === 'text' && (
        <Field label="Header text" hint="Bold, up to 60 characters." error={faults.header}>
          <Input maxLength={60} value={draft.header} onChange={(event) => onChange({ header: event.target.value })} />
        </Field>
      )}
      {headerKind === 'text' && variablesIn(draft.header).length > 0 && (
        <Field label="Example for the header" error={faults.headerExample}>
          <Input
            maxLength={200}
            value={draft.headerExample}
            onChange={(event) => onChange({ headerExample: event.target.value })}
          />
        </Field>
      )}
      {headerKind !== 'none' && headerKind !== 'text' && (
        <SampleField key={headerKind} format={headerKind} draft={draft} faults={faults} onChange={onChange} />
      )}
    </>
  )
}

const samples = {
  image: { accept: 'image/jpeg,image/png', hint: 'JPEG or PNG, up to 5 MB', label: 'Example image' },
  video: { accept: 'video/mp4', hint: 'MP4, up to 16 MB', label: 'Example video' },
  document: { accept: 'application/pdf', hint: 'PDF, up to 100 MB', label: 'Example document' },
}

const asDataUrl = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** The sample Meta's reviewers look at; each campaign brings its own. */
function SampleField({ format, draft, faults, onChange }: TemplateFormProps & { format: Sample['format'] }) {
  const { accept, hint, label } = samples[format]
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData()
      form.set('file', file)
      const said = await api(whatsappTemplates.upload, { query: { accountId: draft.accountId }, form })
      if (said.format !== format) throw new Error(`This file type is not supported. Choose ${hint}.`)
      // Pages may show an image from its bytes, and play a video from memory.
      const address = format === 'image' ? await asDataUrl(file) : URL.createObjectURL(file)
      return { ...said, address }
    },
    onSuccess: (sample) => onChange({ sample }),
  })
  const sample = draft.sample?.format === format ? draft.sample : null
  return (
    <div>
      <FileDrop
        label={upload.isPending ? 'Uploading to Meta…' : sample ? sample.fileName : label}
        hint={sample ? `${formatBytes(sample.size)} · Uploaded to Meta. Choose another file` : hint}
        accept={accept}
        disabled={upload.isPending}
        error={upload.isError ? errorMessage(upload.error) : faults.sample}
        onFile={(file) => upload.mutate(file)}
      />
      <p className="mt-1.5 text-sm text-muted">An example for Meta’s reviewers. Each campaign adds its own file.</p>
    </div>
  )
}

function Body({ draft, faults, onChange }: TemplateFormProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const variables = variablesIn(draft.body)
  function insert() {
    const variable = nextVariable(variables)
    const element = field.current
    const at = element?.selectionStart ?? draft.body.length
    const text = `{{${variable}}}`
    onChange({ body: draft.body.slice(0, at) + text + draft.body.slice(element?.selectionEnd ?? at) })
    requestAnimationFrame(() => {
      element?.focus()
      element?.setSelectionRange(at + text.length, at + text.length)
    })
  }
  return (
    <>
      <Field
        label="Text"
        hint={`${draft.body.length.toLocaleString('en-US')} of 1,024 characters. *bold*, _italic_, ~strikethrough~. Variables are {{1}}, {{2}} or {{first_name}} and need text before and after them.`}
        error={faults.body}
        aside={
          <Button size="sm" kind="quiet" icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={insert}>
            Add variable
          </Button>
        }
      >
        <Textarea
          ref={field}
          rows={6}
          maxLength={1_024}
          value={draft.body}
          onChange={(event) => onChange({ body: event.target.value })}
        />
      </Field>
      {variables.length > 0 && (
        <fieldset className="rounded-control border bg-page p-3">
          <legend className="px-1 text-sm font-medium text-ink">Examples for Meta’s reviewers and the preview</legend>
          <div className="grid gap-3 sm:grid-cols-2">
            {variables.map((variable) => (
              <Field key={variable} label={`{{${variable}}}`} error={faults[`examples.${variable}`]}>
                <Input
                  maxLength={200}
                  value={draft.examples[variable] ?? ''}
                  onChange={(event) => onChange({ examples: { ...draft.examples, [variable]: event.target.value } })}
                />
              </Field>
            ))}
          </div>
          {faults.examples && <p className="mt-2 text-sm text-harm-text">{faults.examples}</p>}
        </fieldset>
      )}
    </>
  )
}
