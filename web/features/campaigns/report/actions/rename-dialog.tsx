import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api } from '#web/api.ts'
import { fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

/** Names a campaign anew; its name is never sent. */
export function RenameDialog({ campaign, onClose }: { campaign: CampaignSummary; onClose: () => void }) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { name: campaign.name } })
  const rename = handleSubmit(async ({ name }) => {
    try {
      await api(campaigns.update, { params: { id: campaign.id }, body: { name } })
      await queries.invalidateQueries({ queryKey: ['campaigns'] })
      onClose()
    } catch (error) {
      showRefusal(setError, ['name'], error)
    }
  })
  return (
    <FormDialog
      title="Rename campaign"
      size="sm"
      action="Save name"
      busy={formState.isSubmitting}
      error={formState.errors.root?.message}
      onSubmit={rename}
      onClose={onClose}
    >
      <Field label="Name" hint="Only you see it." error={fieldError(formState.errors, 'name', 'Name')}>
        <Input {...register('name', { validate: (name) => name.trim() !== '' || 'is required' })} maxLength={120} />
      </Field>
    </FormDialog>
  )
}
