import type { WhatsAppContent, WhatsAppValue } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import type { WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { type Draft, opened, type WizardStep } from '#web/features/campaigns/index.ts'
import { useLists } from '#web/features/contacts/index.ts'
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
  const { name, listIds } = draft.choices
  const content = readContent(draft)
  const number = useNumbers().data?.items.find(({ id }) => id === content.accountId)
  const template = useTemplate(content)
  const lists = useLists().data?.items.filter(({ id }) => listIds.includes(id)) ?? []
  return opened([
    {
      id: 'authenticate',
      label: 'Number',
      summary: number?.displayPhone,
      done: content.accountId !== null && name.trim() !== '',
    },
    {
      id: 'recipients',
      label: 'Recipients',
      summary: lists.length > 0 ? lists.map((list) => list.name).join(', ') : undefined,
      done: listIds.length > 0,
    },
    {
      id: 'template',
      label: 'Template',
      summary: template?.name,
      done: template?.variables.every(({ key }) => isFilled(content.variables[key])) === true,
    },
    { id: 'send', label: 'Send', done: false },
  ])
}
