import { useEffect, useState } from 'react'
import type { CollectorKind } from '#contracts/collector/collector.ts'
import { withExtension } from '../labels.ts'

type NumberFormat = typeof import('./number-format.ts')

/** The numbering plans are large: they come only where numbers are shown. */
export function useNumberFormat(wanted: boolean): NumberFormat | undefined {
  const [format, setFormat] = useState<NumberFormat>()
  useEffect(() => {
    // Without them numbers are shown as they are stored.
    if (wanted) void import('./number-format.ts').then(setFormat, () => undefined)
  }, [wanted])
  return format
}

/** How values of this kind are written for people: "+49 30 123456, ext. 12". */
export function useValueFormat(kind: CollectorKind): (value: string) => string {
  const format = useNumberFormat(kind === 'phone')
  if (kind === 'email') return (value) => value
  return format ? format.readable : withExtension
}
