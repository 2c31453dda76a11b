import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { type Automation, type AutomationRules, whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { api } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ownZone } from '#web/ui/lib/zoned-time.ts'
import { LeaveDialog } from '#web/ui/overlay/leave-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { NeedsNumber } from '../numbers/needs-number.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { PhonePreview } from '../templates/phone-preview.tsx'
import { type Errors, toFormErrors } from './form.ts'
import { type AutomationKind, emptyRules, kinds } from './labels.ts'
import { useAutomation } from './queries.ts'
import { QuestionFields } from './question-fields.tsx'
import { ReplyFields } from './reply-fields.tsx'
import { Simulator } from './simulator.tsx'
import { WhenFields } from './when-fields.tsx'

export const meta = () => [{ title: 'WhatsApp automation · Postlark' }]

const back = { to: '/whatsapp-sender/automations', label: 'Automations' }

/** One automation: `new` with `?kind=` and `?number=`, or one there is. */
export default function EditPage() {
  const { id = '' } = useParams()
  return (
    <NeedsNumber what="Automations reply to messages sent to your own number.">
      {id === 'new' ? <NewAutomation /> : <KnownAutomation key={id} id={id} />}
    </NeedsNumber>
  )
}

function NewAutomation() {
  const [search] = useSearchParams()
  const numbers = useNumbers().data?.items ?? []
  const number = numbers.find(({ id }) => id === search.get('number')) ?? numbers[0]
  const kind = kinds.find((one) => one.kind === search.get('kind'))?.kind ?? 'keyword'
  const place = Number(search.get('place') ?? 0) || 0
  if (!number) return null
  return (
    <Editor
      key={`${kind} ${number.id}`}
      before={{ kind, accountId: number.id, name: '', active: true, place, rules: emptyRules(kind, ownZone()) }}
    />
  )
}

function KnownAutomation({ id }: { id: string }) {
  const query = useAutomation(id)
  if (query.isError && !query.data)
    return (
      <>
        <PageHeader title="Automation" back={back} />
        <Card flush>
          <ErrorState title="The automation could not be opened" error={query.error} onRetry={() => query.refetch()} />
        </Card>
      </>
    )
  if (!query.data) return <SkeletonRows />
  return <Editor before={query.data} />
}

type Before = Pick<Automation, 'kind' | 'accountId' | 'name' | 'active' | 'place' | 'rules'> & { id?: string }

/**
 * A message has questions or buttons: buttons stay in the form and are not saved while there are questions. Rows nobody wrote
 * into are none.
 */
const withoutBlanks = (rules: AutomationRules): AutomationRules => ({
  ...rules,
  buttons: rules.questions.length > 0 ? [] : rules.buttons.filter((text) => text.trim() !== ''),
  questions: rules.questions.map((one) => ({ ...one, choices: one.choices.filter((text) => text.trim() !== '') })),
})

/** Saves what is edited; `save` resolves to what is wrong, field by field, where it was refused. */
function useSaving(before: Before) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (name: string, rules: AutomationRules): Promise<Errors | null> => {
    const body = { name: name.trim(), rules: withoutBlanks(rules) }
    try {
      if (before.id) await api(whatsappAutomations.update, { params: { id: before.id }, body })
      else {
        const { kind, accountId, active, place } = before
        await api(whatsappAutomations.create, { body: { kind, accountId, active, place, ...body } })
      }
      await queries.invalidateQueries({ queryKey: ['whatsapp', 'automations'] })
      toast.success('Saved. Test it next to the list.')
      await navigate(`${back.to}?number=${before.accountId}`)
      return null
    } catch (error) {
      return toFormErrors(error)
    }
  }
}

function Editor({ before }: { before: Before }) {
  const [name, setName] = useState(before.name)
  const [rules, setRules] = useState(before.rules)
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const saveAs = useSaving(before)
  const kind = kinds.find((one) => one.kind === before.kind)
  const change = (changes: Partial<AutomationRules>) => setRules((old) => ({ ...old, ...changes }))
  useEffect(() => {
    // The first field that is wrong, wherever it is in this long form.
    if (Object.keys(errors).length > 0) document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])

  async function save(event: React.FormEvent) {
    event.preventDefault()
    setBusy(true)
    const refused = name.trim() === '' ? { name: 'The name is required.' } : await saveAs(name, rules)
    setBusy(false)
    if (refused) setErrors(refused)
  }

  const isChanged = JSON.stringify([name, rules]) !== JSON.stringify([before.name, before.rules])
  return (
    <>
      <LeaveDialog isUnsaved={() => isChanged && !busy}>
        Your latest changes are not saved. If you leave, they are lost.
      </LeaveDialog>
      <PageHeader
        title={before.id ? before.name : `New ${kind?.label.toLowerCase()} automation`}
        description={kind?.does}
        back={back}
      />
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_20rem]">
        <form noValidate onSubmit={save} className="min-w-0 space-y-5">
          <FormBanner error={errors.root} />
          <Field label="Name" hint="Only visible to you." error={errors.name}>
            <Input value={name} maxLength={120} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
          <WhenFields kind={before.kind as AutomationKind} rules={rules} errors={errors} onChange={change} />
          <ReplyFields rules={rules} errors={errors} onChange={change} />
          <QuestionFields rules={rules} errors={errors} onChange={change} />
          <Card title="Reply">
            <Checkbox
              label="Hand over to a person"
              hint={
                rules.questions.length > 0
                  ? 'Pauses automations for 24 hours after the last question. The conversation waits in your inbox.'
                  : 'Pauses automations for 24 hours after this reply. The conversation waits in your inbox.'
              }
              checked={rules.handOver}
              onChange={(event) => change({ handOver: event.target.checked })}
            />
          </Card>
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink to={back.to}>Cancel</ButtonLink>
            <Button kind="primary" type="submit" busy={busy}>
              Save automation
            </Button>
          </div>
        </form>
        <Beside before={before} rules={rules} />
      </div>
    </>
  )
}

/** How the reply looks on a phone as it is written; what is saved can be tried under it. */
function Beside({ before, rules }: { before: Before; rules: AutomationRules }) {
  const number = useNumbers().data?.items.find(({ id }) => id === before.accountId)
  const name = number?.verifiedName || number?.name || 'Your business'
  const { reply, buttons, questions } = withoutBlanks(rules)
  return (
    <aside aria-label="Preview and test" className="min-w-0 space-y-5 wide:sticky wide:top-6">
      <PhonePreview
        header={null}
        body={reply || (questions[0]?.ask ?? '')}
        footer=""
        buttons={buttons.map((text) => ({ type: 'quick_reply', text }))}
        values={{}}
        from={name}
      />
      {before.id && <Simulator accountId={before.accountId} name={name} version={JSON.stringify(before.rules)} />}
    </aside>
  )
}
