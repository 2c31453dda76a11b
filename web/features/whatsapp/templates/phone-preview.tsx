import { ExternalLink, FileText, ImageIcon, MapPin, Phone, Play, Reply } from 'lucide-react'
import type { TemplateButton, WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { cx } from '#web/ui/lib/class-names.ts'
import { MessageText } from '../inbox/message-text.tsx'

interface PhonePreviewProps extends Pick<WhatsAppTemplate, 'body' | 'footer'> {
  header: WhatsAppTemplate['header']
  buttons: Pick<TemplateButton, 'type' | 'text'>[]
  /** Values by TemplateVariable.key; what has none keeps its braces. */
  values: Record<string, string>
  /** The business's name at the head of the phone. */
  from?: string | undefined
}

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g

/** A text with its variables filled, as far as there are values. */
export const filled = (text: string, lookUp: (variable: string) => string | undefined): string =>
  text.replaceAll(VARIABLE, (whole, variable: string) => lookUp(variable) || whole)

const buttonIcons = { quick_reply: Reply, url: ExternalLink, phone: Phone, copy_code: FileText, other: Reply }
const mediaIcons = { image: ImageIcon, video: Play, document: FileText, location: MapPin }

/** A template as it stands on a phone. */
export function PhonePreview({ header, body, footer, buttons, values, from }: PhonePreviewProps) {
  const text = filled(body, (variable) => values[`body.${variable}`])
  return (
    <figure
      aria-label="Phone preview"
      className="mx-auto w-full max-w-80 overflow-hidden rounded-[22px] border-[5px] border-line bg-sunken"
    >
      <figcaption className="flex items-center gap-2.5 border-b bg-raised px-4 py-2.5">
        <span aria-hidden="true" className="size-7 rounded-full bg-good-soft" />
        <span className="min-w-0 truncate text-base font-medium text-ink">{from ?? 'Your business'}</span>
      </figcaption>
      <div className="min-h-72 space-y-1 p-3">
        <div className="max-w-[94%] rounded-card rounded-tl-[3px] border bg-raised px-3 py-2">
          <Header header={header} value={values.header} />
          <p className="text-base wrap-anywhere whitespace-pre-wrap text-ink [&_code]:font-mono [&_code]:text-sm">
            {text ? <MessageText text={text} /> : <span className="text-muted">Message text</span>}
          </p>
          {footer && <p className="mt-1 text-sm wrap-anywhere text-muted">{footer}</p>}
          <p aria-hidden="true" className="text-right text-xs text-muted">
            12:00
          </p>
        </div>
        {buttons.map((button, at) => {
          const Icon = buttonIcons[button.type]
          return (
            <p
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no identity but their place
              key={at}
              className="flex max-w-[94%] items-center justify-center gap-1.5 rounded-card border bg-raised px-3 py-2 text-base font-medium wrap-anywhere text-accent-text"
            >
              <Icon aria-hidden="true" className="size-3.5 shrink-0" />
              {button.text || 'Button'}
            </p>
          )
        })}
      </div>
    </figure>
  )
}

function Header({ header, value }: { header: WhatsAppTemplate['header']; value: string | undefined }) {
  if (!header) return null
  if (header.format === 'text')
    return <p className="mb-0.5 text-base font-semibold wrap-anywhere text-ink">{filled(header.text, () => value)}</p>
  const Icon = mediaIcons[header.format]
  if (header.format === 'video' && value?.startsWith('blob:'))
    return (
      <video
        src={value}
        muted
        playsInline
        controls
        aria-label="Video"
        className="mb-1.5 max-h-44 w-full rounded-control"
      />
    )
  if (header.format === 'image' && value && /^(https:\/\/|data:image\/)/.test(value))
    return <img src={value} alt="" className="mb-1.5 max-h-44 w-full rounded-control object-cover" />
  return (
    <p
      className={cx(
        'mb-1.5 grid place-items-center gap-1 rounded-control bg-sunken text-sm text-muted',
        header.format === 'document' ? 'h-16' : 'h-28',
      )}
    >
      <Icon aria-hidden="true" className="size-6" />
      {header.format}
    </p>
  )
}
