import { useEffect, useState } from 'react'
import { countryName } from '#web/ui/lib/format.ts'
import { Combobox } from './combobox.tsx'
import { Field } from './field.tsx'

type Countries = typeof import('#web/ui/lib/countries.ts')['countries']

interface CountryFieldProps {
  /** ISO 3166, two letters; empty for none. */
  value: string
  onChange: (value: string) => void
  hint: string
  /** What having none means. */
  none: string
}

/** The country of phone numbers that are written without one. */
export function CountryField({ value, onChange, hint, none }: CountryFieldProps) {
  const [countries, setCountries] = useState<Countries>()
  useEffect(() => {
    // Without the list the field has what is chosen already.
    void import('#web/ui/lib/countries.ts').then(
      (found) => setCountries(found.countries),
      () => undefined,
    )
  }, [])
  return (
    <Field label="Default country" optional hint={hint}>
      <Combobox
        className="sm:max-w-80"
        none={none}
        options={countries ?? (value ? [{ value, label: countryName(value) }] : [])}
        value={value}
        onChange={onChange}
      />
    </Field>
  )
}
