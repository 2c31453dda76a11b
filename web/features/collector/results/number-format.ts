import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { withExtension } from '../labels.ts'

/** E.164, with `;ext=` or without, as its country groups it: "+49 30 123456, ext. 12". */
export function readable(value: string): string {
  const [number = '', extension] = value.split(';ext=')
  const parsed = parsePhoneNumberFromString(number)
  if (!parsed) return withExtension(value)
  return parsed.formatInternational() + (extension ? `, ext. ${extension}` : '')
}
