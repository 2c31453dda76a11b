import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import type { Keep } from '#contracts/contacts/imports.ts'
import { lists as listContract } from '#contracts/contacts/lists.ts'
import { api, errorMessage } from '#web/api.ts'
import { consentErrors, noConsent, type TypedConsent, toConsentProof } from '#web/features/consents/index.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CountryField } from '#web/ui/form/country-field.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { isNewList, ListChoice, type ListTarget, listTargetError, NEW_LIST } from '../lists/list-choice.tsx'
import { useLists } from '../queries.ts'
import { AskingForecast } from './asking-forecast.tsx'
import { useFileColumns } from './file-columns.ts'
import { FileColumns, FileReading, type ReadFile, sharePreviewed } from './file-reading.tsx'
import { ImportConsent } from './import-consent.tsx'
import { ImportOptin, optinError, type TypedOptin } from './import-optin.tsx'

interface ImportFormProps {
  /** Chosen beforehand. */
  listId?: string | undefined
  onStarted: (importId: string, listId: string) => void
}

/** From a file to a running import: choose, see what it holds, say what the columns are, choose a list, start. */
export function ImportForm(props: ImportFormProps) {
  return (
    <FileReading refused="No contacts were imported">{(read) => <PreparedImport {...read} {...props} />}</FileReading>
  )
}

function PreparedImport({ file, preview, listId, onStarted }: ReadFile & ImportFormProps) {
  const queries = useQueryClient()
  const lists = useLists()
  const thereAreLists = (lists.data?.items.length ?? 0) > 0
  const columns = useFileColumns(preview)
  const [target, setTarget] = useState<ListTarget>({
    listId: listId ?? NEW_LIST,
    newName: file.name.replace(/\.\w+$/, '').slice(0, 120),
    optin: 'single',
  })
  const [keep, setKeep] = useState<Keep>('last')
  const [country, setCountry] = useState('')
  const [agreed, setAgreed] = useState<TypedConsent | null>(null)
  const [asked, setAsked] = useState(false)
  const [optin, setOptin] = useState<TypedOptin>({ optin: 'ask', evidence: '' })
  // A consent is given for numbers: without a column of them there is nothing it could be recorded for.
  const hasPhones = Object.values(columns.mapping).includes('phone')
  const consent = hasPhones ? agreed : null
  const consentWrong = consent ? consentErrors(consent) : {}
  const listError = listTargetError(target, thereAreLists)
  const isDouble = isNewList(target, thereAreLists)
    ? target.optin === 'double'
    : lists.data?.items.find(({ id }) => id === target.listId)?.optin === 'double'
  const optinWrong = isDouble ? optinError(optin) : undefined

  const start = useMutation({
    mutationFn: async () => {
      let into = target.listId
      if (isNewList(target, thereAreLists)) {
        const made = await api(listContract.create, { body: { name: target.newName.trim(), optin: target.optin } })
        into = made.id
        // Should the upload fail, trying again uses the list that is there now.
        setTarget({ ...target, listId: made.id })
        await queries.invalidateQueries({ queryKey: ['lists'] })
      }
      const form = new FormData()
      form.append('listId', into)
      columns.addTo(form)
      form.append('keep', keep)
      if (hasPhones && country) form.append('country', country)
      if (isDouble) form.append('optin', optin.optin)
      if (isDouble && optin.optin === 'agreed') form.append('optinEvidence', optin.evidence)
      if (consent) form.append('consent', JSON.stringify(toConsentProof(consent)))
      form.append('file', file, file.name)
      const { importId } = await api(contacts.import, { form })
      return { importId, into }
    },
    onSuccess: ({ importId, into }) => {
      void queries.invalidateQueries({ queryKey: ['imports'] })
      onStarted(importId, into)
    },
  })

  function submit(event: React.FormEvent) {
    event.preventDefault()
    setAsked(true)
    if (!columns.error && !listError && !optinWrong && Object.keys(consentWrong).length === 0) start.mutate()
  }

  return (
    <form noValidate onSubmit={submit} className="space-y-5">
      <FileColumns preview={preview} choices={columns} error={asked ? columns.error : undefined} />
      <ListChoice target={target} onChange={setTarget} error={asked ? listError : undefined} />
      {isDouble && <ImportOptin typed={optin} error={asked ? optinWrong : undefined} onChange={setOptin} />}
      {isDouble && optin.optin === 'ask' && (
        <AskingForecast
          rows={preview.total && Math.round(preview.total / sharePreviewed(file))}
          isEstimated={sharePreviewed(file) < 1}
          pace={preview.confirmations}
        />
      )}
      <RepeatedRows count={preview.duplicates} keep={keep} onChange={setKeep} />
      {hasPhones && (
        <CountryField
          value={country}
          onChange={setCountry}
          hint="For phone numbers without a country code, such as 030 123456. Without a default, they are stored as text and cannot receive messages."
          none="No default"
        />
      )}
      {hasPhones && (
        <ImportConsent
          typed={agreed}
          errors={asked ? consentWrong : {}}
          onTick={(ticked) => setAgreed(ticked ? noConsent() : null)}
          onChange={(change) => setAgreed((old) => old && { ...old, ...change })}
        />
      )}
      <p className="text-sm text-muted">
        {!isNewList(target, thereAreLists) &&
          !isDouble &&
          'Contacts are subscribed right away. You confirm you have their permission. '}
        Existing contacts will be updated.
      </p>
      {start.isError && <FormBanner error={`${errorMessage(start.error)} No contacts were changed.`} />}
      <Button kind="primary" type="submit" busy={start.isPending}>
        {start.isPending ? 'Uploading the file' : 'Import contacts'}
      </Button>
    </form>
  )
}

interface RepeatedRowsProps {
  /** Among the first rows of the file. */
  count: number
  keep: Keep
  onChange: (keep: Keep) => void
}

/** What becomes of several rows with the same address. */
function RepeatedRows({ count, keep, onChange }: RepeatedRowsProps) {
  return (
    <Field
      label="Duplicate rows"
      hint={
        count === 0
          ? 'If an email address or phone number is in several rows.'
          : `${plural(count, 'row')} in this file ${count === 1 ? 'repeats' : 'repeat'} an email address or phone number.`
      }
      className="sm:max-w-80"
    >
      <Select value={keep} onChange={(event) => onChange(event.target.value as Keep)}>
        <option value="last">Keep the last row</option>
        <option value="first">Keep the first row</option>
      </Select>
    </Field>
  )
}
