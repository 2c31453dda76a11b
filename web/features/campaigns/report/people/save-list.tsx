import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { api } from '#web/api.ts'
import { fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { describeFilter, type RecipientFilter } from './filter-labels.ts'

interface SaveListDialogProps {
  campaign: Campaign
  filter: RecipientFilter
  /** The filter in words. */
  words: string
  onClose: () => void
}

/** Makes a list of the recipients that are shown, all pages of them. */
export function SaveListDialog({ campaign, filter, words, onClose }: SaveListDialogProps) {
  const queries = useQueryClient()
  const { listName } = describeFilter({ ...filter }, campaign, undefined)
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { name: filter.link === undefined ? listName : `${words}: ${campaign.name}`.slice(0, 120) },
  })
  const save = handleSubmit(async ({ name }) => {
    try {
      const saved = await api(campaignReports.toList, { params: { id: campaign.id }, body: { name, ...filter } })
      void queries.invalidateQueries({ queryKey: ['lists'] })
      toast.success(
        <>
          {plural(saved.people, 'person', 'people')} saved to{' '}
          <Link to="/contacts/lists" className="font-medium underline">
            {saved.name}
          </Link>
        </>,
      )
      onClose()
    } catch (error) {
      showRefusal(setError, ['name'], error)
    }
  })
  return (
    <FormDialog
      title="Save as list"
      description="A fixed list of the recipients shown now. People who unsubscribed stay unsubscribed."
      size="sm"
      action="Save list"
      busy={formState.isSubmitting}
      error={formState.errors.root?.message}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="List name" error={fieldError(formState.errors, 'name', 'Name')}>
        <Input {...register('name', { required: 'is required', maxLength: 120 })} maxLength={120} />
      </Field>
    </FormDialog>
  )
}
