import { Combobox } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'
import { useNumberFormat } from './numbers.ts'
import { countryName } from './words.ts'

/** The country of numbers that are written without one. */
export function CountryField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const format = useNumberFormat(true)
  return (
    <Field
      label="Default country"
      optional
      hint="For numbers written without a country code, on pages that do not say their country. Without it, such numbers are left out rather than guessed."
    >
      <Combobox
        className="sm:max-w-80"
        none="None: only what the page itself says"
        options={format?.countries ?? (value ? [{ value, label: countryName(value) }] : [])}
        value={value}
        onChange={onChange}
      />
    </Field>
  )
}
