import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { countryName } from './format.ts'

/** Every country with a numbering plan, by name. The plans are large: load this file where it is needed alone. */
export const countries = getCountries()
  .map((code) => ({ value: code as string, label: countryName(code), note: `+${getCountryCallingCode(code)}` }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))
