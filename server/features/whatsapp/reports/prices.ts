/**
 * What Meta charges for a delivered message, in US dollars by the country of the recipient's number: list prices without
 * volume discounts, and only those we found the same in two places. Where none stands here the cost is unknown.
 */
interface Price {
  marketing: number
  /** Authentication costs the same in these countries; a billable service message too, since October 2026. */
  utility: number | null
}

/** When these were last compared with published rate cards. */
export const PRICES_OF = '2026-10'
export const CURRENCY = 'USD'

const NORTH_AMERICA: Price = { marketing: 0.025, utility: 0.0034 }

const PRICES: Record<string, Price> = {
  AR: { marketing: 0.0618, utility: 0.026 },
  BR: { marketing: 0.0625, utility: 0.0068 },
  CA: NORTH_AMERICA,
  CL: { marketing: 0.0889, utility: 0.02 },
  CO: { marketing: 0.0125, utility: 0.0008 },
  DE: { marketing: 0.1365, utility: 0.055 },
  EG: { marketing: 0.0644, utility: 0.0036 },
  GB: { marketing: 0.0529, utility: 0.022 },
  ID: { marketing: 0.0411, utility: null },
  IN: { marketing: 0.0118, utility: 0.0014 },
  NG: { marketing: 0.0516, utility: 0.0067 },
  NL: { marketing: 0.1597, utility: null },
  PK: { marketing: 0.0473, utility: null },
  TR: { marketing: 0.0109, utility: null },
  US: NORTH_AMERICA,
  ZA: { marketing: 0.0379, utility: 0.0076 },
}

/** Places with the calling code, and so the price, of another country. */
const SAME: Record<string, string> = { GG: 'GB', IM: 'GB', JE: 'GB' }

/** The price of one message; null where it is not known. */
export function messagePrice(category: string | null, country: string | null): number | null {
  const price = country === null ? undefined : PRICES[SAME[country] ?? country]
  if (!price || category === null) return null
  return category.startsWith('marketing') ? price.marketing : price.utility
}
