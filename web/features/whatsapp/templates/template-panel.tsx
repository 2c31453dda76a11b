import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type WhatsAppTemplate, whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatDay, formatMoment } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { categoryInWords, languageInWords, reasonInWords, templateQuality, templateState } from '../labels.ts'
import { PhonePreview } from './phone-preview.tsx'

const tones = { good: 'good', accent: 'info', attention: 'attention', harm: 'harm', neutral: 'info' } as const

/** One template beside its list: how it looks, what Meta says of it, and the way to delete it. */
export function TemplatePanel({ template, onClose }: { template: WhatsAppTemplate; onClose: () => void }) {
  const queries = useQueryClient()
  const [removing, setRemoving] = useState(false)
  const state = templateState(template.status)
  const quality = templateQuality[template.quality]
  const reason = reasonInWords(template.reason)
  const examples = Object.fromEntries(template.variables.map(({ key, example }) => [key, example]))
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={template.name}
      description={`${categoryInWords(template.category)} · ${languageInWords(template.language)}`}
      footer={
        <Button kind="quiet" className="mr-auto text-harm-text!" onClick={() => setRemoving(true)}>
          Delete template
        </Button>
      }
    >
      <div className="space-y-4">
        <Banner
          tone={tones[state.tone]}
          title={
            <Badge tone={state.tone} shape={state.shape}>
              {state.label}
            </Badge>
          }
        >
          {reason && <p className="wrap-anywhere">Meta’s response: {reason}.</p>}
          <p>{state.means}</p>
        </Banner>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base text-text">
          <span className="text-muted">Quality</span>
          <Badge tone={quality.tone} shape={quality.shape}>
            {quality.label}
          </Badge>
          <span>{quality.means}</span>
        </p>
        <PhonePreview {...template} values={examples} />
        <p className="text-sm text-muted">
          {template.variables.length > 0
            ? 'Variables show their examples. '
            : 'No variables. Everyone gets the same text. '}
          Added {formatDay(template.createdAt)}, last synced with Meta {formatMoment(template.syncedAt)}.
        </p>
      </div>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={`Delete ${template.name}?`}
        action="Delete template"
        typed={template.name}
        onConfirm={async () => {
          await api(whatsappTemplates.remove, { params: { id: template.id } })
          await queries.invalidateQueries({ queryKey: ['whatsapp', 'templates'] })
          onClose()
        }}
      >
        It is also deleted at Meta, in this language. Meta blocks the name of an approved template for 30 days. Messages
        already sent with it are kept.
      </ConfirmDialog>
    </SidePanel>
  )
}
