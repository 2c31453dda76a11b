import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { countryName } from '../labels.ts'
import { useNumberFormat } from '../results/numbers.ts'

/** The country of numbers that are written without one. */
export function CountryField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const format = useNumberFormat(true)
  return (
    <Field
      label="Default country"
      optional
      hint="For numbers without a country code on pages that don’t state their country. Without a default, such numbers are skipped."
    >
      <Combobox
        className="sm:max-w-80"
        none="None: use only what the page states"
        options={format?.countries ?? (value ? [{ value, label: countryName(value) }] : [])}
        value={value}
        onChange={onChange}
      />
    </Field>
  )
}
