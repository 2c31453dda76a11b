const moments = new Intl.DateTimeFormat('en-GB', {
  ...({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
  timeZone: 'UTC',
})

/** A moment for texts that everybody reads alike, as the pages write it: "29 Nov 2026, 09:30 UTC". */
export const formatUtcMoment = (at: Date): string => `${moments.format(at)} UTC`
