import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists as listContract } from '#contracts/contacts/lists.ts'
import { api, errorMessage } from '#web/api.ts'
import { consentErrors, noConsent, type TypedConsent, toConsentProof } from '#web/features/consents/index.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { isNewList, ListChoice, type ListTarget, listTargetError } from '../lists/list-choice.tsx'
import { useLists } from '../queries.ts'
import { type Mapping, mappingError } from './column-mapping.tsx'
import { FileColumns, FileReading, type ReadFile } from './file-reading.tsx'
import { ImportConsent } from './import-consent.tsx'

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
  const [mapping, setMapping] = useState<Mapping>(preview.mapping)
  const [target, setTarget] = useState<ListTarget>({
    listId: listId ?? '',
    newName: file.name.replace(/\.\w+$/, '').slice(0, 120),
    optin: 'single',
  })
  const [agreed, setAgreed] = useState<TypedConsent | null>(null)
  const [asked, setAsked] = useState(false)
  // A consent is given for numbers: without a column of them there is nothing it could be recorded for.
  const consent = Object.values(mapping).includes('phone') ? agreed : null
  const consentWrong = consent ? consentErrors(consent) : {}
  const columnsError = mappingError(mapping)
  const listError = listTargetError(target, thereAreLists)

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
      form.append('mapping', JSON.stringify(mapping))
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
    if (!columnsError && !listError && Object.keys(consentWrong).length === 0) start.mutate()
  }

  return (
    <form noValidate onSubmit={submit} className="space-y-5">
      <FileColumns preview={preview} mapping={mapping} onChange={setMapping} error={asked ? columnsError : undefined} />
      <ListChoice target={target} onChange={setTarget} error={asked ? listError : undefined} />
      {Object.values(mapping).includes('phone') && (
        <ImportConsent
          typed={agreed}
          errors={asked ? consentWrong : {}}
          onTick={(ticked) => setAgreed(ticked ? noConsent() : null)}
          onChange={(change) => setAgreed((old) => old && { ...old, ...change })}
        />
      )}
      <Banner>Only import people who agreed to hear from you. Existing contacts will be updated.</Banner>
      {start.isError && <FormBanner error={`${errorMessage(start.error)} No contacts were changed.`} />}
      <Button kind="primary" type="submit" busy={start.isPending}>
        {start.isPending ? 'Uploading the file' : 'Import contacts'}
      </Button>
    </form>
  )
}
