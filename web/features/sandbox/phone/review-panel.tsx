import { useState } from 'react'
import type { z } from 'zod'
import type { SandboxTemplate } from '#contracts/sandbox/whatsapp.ts'
import { errorMessage } from '#web/api.ts'
import {
  categoryInWords,
  languageInWords,
  PhonePreview,
  reasonInWords,
  rejectionReasons,
  templateQuality,
  templateState,
} from '#web/features/whatsapp/index.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useRating, useReview } from './queries.ts'

type Template = z.infer<typeof SandboxTemplate>
type Status = 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED'

const decisions: { status: Status; verb: string; done: string }[] = [
  { status: 'APPROVED', verb: 'Approve template', done: 'Approved' },
  { status: 'PAUSED', verb: 'Pause template', done: 'Paused' },
  { status: 'DISABLED', verb: 'Disable permanently', done: 'Disabled' },
]

const qualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
const lowered = (quality: (typeof qualities)[number]) => quality.toLowerCase() as Lowercase<(typeof qualities)[number]>

const kinds = ['image', 'video', 'document', 'location'] as const

/** One template before its reviewer: how it looks, and what is decided about it. */
export function ReviewPanel({ template, onClose }: { template: Template; onClose: () => void }) {
  const review = useReview()
  const rating = useRating()
  const [reason, setReason] = useState('INVALID_FORMAT')
  const { name, language, businessAccountId, status } = template
  const decide = (next: Status, done: string) =>
    review.mutate(
      { name, language, businessAccountId, status: next, reason: next === 'REJECTED' ? reason : '' },
      {
        onSuccess: () => toast(`${done}. The webhook event is on its way.`),
        onError: (error) => toast.error(errorMessage(error)),
      },
    )
  const { tone, shape, label } = templateState(status)
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={name}
      description={`${template.business} · ${categoryInWords(template.category)} · ${languageInWords(language)}`}
    >
      <div className="space-y-5">
        <p className="flex flex-wrap items-center gap-2 text-base text-text">
          <Badge tone={tone} shape={shape}>
            {label}
          </Badge>
          {reasonInWords(template.reason)}
        </p>
        <PhonePreview {...toPreview(template)} values={{}} from={template.business} />
        <div className="flex flex-wrap gap-2">
          {decisions.map((one) => (
            <Button
              key={one.status}
              size="sm"
              kind={one.status === 'APPROVED' ? 'primary' : 'secondary'}
              disabled={status === one.status || review.isPending}
              onClick={() => decide(one.status, one.done)}
            >
              {one.verb}
            </Button>
          ))}
        </div>
        <form
          className="flex flex-wrap items-end gap-2 border-t pt-4"
          onSubmit={(event) => {
            event.preventDefault()
            decide('REJECTED', 'Rejected')
          }}
        >
          <Field label="Rejection reason" className="min-w-0 flex-1 basis-56">
            <Select value={reason} onChange={(event) => setReason(event.target.value)}>
              {rejectionReasons.map((code) => (
                <option key={code} value={code}>
                  {code}
                </option>
              ))}
            </Select>
          </Field>
          <Button type="submit" disabled={status === 'REJECTED' || review.isPending}>
            Reject template
          </Button>
          <p className="basis-full text-sm text-muted">The sender sees: {reasonInWords(reason)}.</p>
        </form>
        <div className="border-t pt-4">
          <RadioGroup
            legend="Quality rating"
            options={qualities.map((value) => ({ value, label: templateQuality[lowered(value)].label }))}
            value={template.quality}
            onChange={(quality) =>
              rating.mutate(
                { name, quality },
                {
                  onSuccess: () => toast('Quality changed. The webhook event is on its way.'),
                  onError: (error) => toast.error(errorMessage(error)),
                },
              )
            }
          />
        </div>
      </div>
    </SidePanel>
  )
}

/** A reviewer's template as the preview takes it. */
function toPreview({ header, body, footer, buttons }: Template) {
  const file = kinds.find((kind) => kind === header)
  return {
    header: file ? { format: file, text: '' } : header ? { format: 'text' as const, text: header } : null,
    body,
    footer,
    buttons: buttons.map((text) => ({ type: 'quick_reply' as const, text })),
  }
}
