import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type WhatsAppTemplate, whatsappTemplates } from '#contracts/whatsapp-templates.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatDay, formatMoment } from '#web/ui/format.ts'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { categoryInWords, languageInWords, reasonInWords, templateQuality, templateState } from './words.ts'

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
          {reason && <p className="wrap-anywhere">Meta says: {reason}.</p>}
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
            ? 'The examples stand in its places. '
            : 'It has no places: everybody gets the same words. '}
          Here since {formatDay(template.createdAt)}, last read from Meta {formatMoment(template.syncedAt)}.
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
        It is deleted at Meta too, in this language. Meta keeps the name of an approved template blocked for 30 days.
        Messages sent with it stay.
      </ConfirmDialog>
    </SidePanel>
  )
}
