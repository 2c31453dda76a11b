import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { api } from '#web/api.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

/** Makes a draft to the people who did not respond, with a subject of its own. */
export function ResendDialog({ campaign, onClose }: { campaign: CampaignSummary; onClose: () => void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { subject: campaign.subject } })
  const resend = handleSubmit(async ({ subject }) => {
    try {
      const draft = await api(campaignReports.resend, {
        params: { id: campaign.id },
        body: { subject, to: 'no_response' },
      })
      void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
      void queries.invalidateQueries({ queryKey: ['lists'] })
      onClose()
      await navigate(campaignLink(draft))
    } catch (error) {
      showRefusal(setError, ['subject'], error)
    }
  })
  return (
    <FormDialog
      title="Resend to people who didn’t respond"
      description="We create a list of everyone who got this email and hasn’t opened, clicked, replied or unsubscribed so far, and a draft to it. Nothing is sent yet."
      action="Create draft"
      busy={formState.isSubmitting}
      error={formState.errors.root?.message}
      onSubmit={resend}
      onClose={onClose}
    >
      <Field
        label="Subject"
        hint="Try a subject that differs from the first one."
        error={fieldError(formState.errors, 'subject', 'Subject')}
      >
        <Input
          {...register('subject', { validate: (subject) => subject.trim() !== '' || 'is required' })}
          maxLength={300}
        />
      </Field>
    </FormDialog>
  )
}
