import { useState } from 'react'
import type { contacts } from '#contracts/contacts/contacts.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { useFindField } from '../queries.ts'
import { type DateFormats, findDateError, type Mapping, mappingError } from './column-mapping.tsx'

export type Preview = ResponseBody<typeof contacts.importPreview>

/** What each column of a file becomes, and how its dates are read, as it is chosen. */
export function useFileColumns(preview: Preview) {
  const [mapping, setMapping] = useState<Mapping>(preview.mapping)
  const [chosen, setChosen] = useState<DateFormats>(preview.dateFormats)
  const findField = useFindField()
  const dateFormats = Object.fromEntries(
    Object.entries(chosen).filter(([column]) => {
      const target = Object.hasOwn(mapping, column) ? mapping[column] : undefined
      return target !== undefined && findField(target)?.type === 'date'
    }),
  )
  return {
    mapping,
    setMapping,
    /** Of the columns with dates that go to custom fields of type date; null: not chosen yet. */
    dateFormats,
    setDateFormat: (column: string, format: DateFormats[string]) => setChosen({ ...chosen, [column]: format }),
    error: mappingError(mapping) ?? findDateError(dateFormats),
    /** Adds what was chosen to the form of an import. */
    addTo(form: FormData) {
      form.append('mapping', JSON.stringify(mapping))
      form.append('dateFormats', JSON.stringify(dateFormats))
    },
  }
}
export type FileColumnChoices = ReturnType<typeof useFileColumns>
