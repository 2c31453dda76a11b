import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { WhatsAppContent, WhatsAppValue } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { api } from '#web/api.ts'
import {
  type Draft,
  opened,
  useAudienceCount,
  useAudienceNames,
  useLastCampaign,
  type WizardChoices,
  type WizardStep,
} from '#web/features/campaigns/index.ts'
import { type ContactProfile, useContact } from '#web/features/contacts/index.ts'
import { useNumbers, useWhatsAppTemplates } from '#web/features/whatsapp/index.ts'
import { blankContent } from './channel.ts'

/** What a draft says over WhatsApp so far. */
export const readContent = ({ choices }: Draft): WhatsAppContent => choices.whatsapp ?? blankContent

/** The template of a draft, as far as it is known. */
export function useTemplate(content: WhatsAppContent): WhatsAppTemplate | undefined {
  const templates = useWhatsAppTemplates({ accountId: content.accountId ?? undefined })
  return templates.data?.items.find(({ id }) => id === content.templateId)
}

/** Whether something fills a variable of a template. */
export function isFilled(value: WhatsAppValue | undefined): boolean {
  if (!value) return false
  return value.from === 'text' ? value.text.trim() !== '' : value.from === 'field' ? value.field !== '' : true
}

/** The wizard's steps over WhatsApp with what was chosen in each. */
export function useSteps(draft: Draft): WizardStep[] {
  const { name, listIds, segmentIds } = draft.choices
  const content = readContent(draft)
  const number = useNumbers().data?.items.find(({ id }) => id === content.accountId)
  const template = useTemplate(content)
  const names = useAudienceNames(draft.choices)?.to ?? []
  const reach = useReach(listIds).data
  const isFull = template?.variables.every(({ key }) => isFilled(content.variables[key])) === true
  const steps: Omit<WizardStep, 'done'>[] = [
    {
      id: 'authenticate',
      label: 'Number',
      subtitle: 'Choose a WhatsApp number',
      summary: number?.displayPhone,
      missing:
        content.accountId === null
          ? 'Choose a number to continue.'
          : name.trim() === ''
            ? 'Enter a campaign name to continue.'
            : undefined,
    },
    {
      id: 'recipients',
      label: 'Recipients',
      subtitle: 'Choose lists and segments',
      summary: names.length > 0 ? names.join(', ') : undefined,
      missing:
        listIds.length + segmentIds.length === 0
          ? 'Choose at least one list or segment to continue.'
          : segmentIds.length === 0 && reach?.consented === 0
            ? 'No one on these lists can be reached.'
            : undefined,
    },
    {
      id: 'template',
      label: 'Template',
      subtitle: 'Choose an approved template',
      summary: template?.name,
      missing: isFull ? undefined : template ? 'Fill in every variable to continue.' : 'Choose a template to continue.',
    },
    { id: 'send', label: 'Send', subtitle: 'Review and send' },
  ]
  return opened(steps.map((step) => ({ ...step, done: step.id !== 'send' && !step.missing })))
}

/** The number used last, or the only one. undefined until it is known. */
export function useLastNumber(): Partial<WizardChoices> | undefined {
  const last = useLastCampaign()
  const { data, isError } = useNumbers()
  if (isError) return {}
  if (last === undefined || !data) return undefined
  const used = data.items.find(({ id }) => id === last?.whatsapp?.accountId)
  const number = used ?? (data.items.length === 1 ? data.items[0] : undefined)
  return number ? { whatsapp: { ...blankContent, accountId: number.id } } : {}
}

/** A contact who gets the message of a draft, to show it as they will read it; undefined: nobody does, or it is not known yet. */
export function useExample(draft: Draft): ContactProfile | undefined {
  const id = useAudienceCount(draft).data?.exampleId ?? ''
  return useContact(id, id !== '').data
}

/** How many people of lists can be reached over WhatsApp, and why the others cannot. */
export function useReach(listIds: string[]) {
  return useQuery({
    queryKey: ['whatsapp', 'consents', 'summary', listIds],
    queryFn: () => api(whatsappConsents.state, { query: { listIds: listIds.join(',') } }),
    placeholderData: keepPreviousData,
    enabled: listIds.length > 0,
    // People are imported, and consents recorded, in another tab meanwhile.
    refetchInterval: 10_000,
  })
}
