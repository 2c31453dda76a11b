const names = new Map([
  ['google', 'Google (Gmail)'],
  ['microsoft', 'Microsoft (Outlook, Hotmail)'],
  ['yahoo', 'Yahoo (AOL)'],
  ['apple', 'Apple (iCloud)'],
  ['other', 'Other receivers'],
])

/** The operators a sender can have limits for on the screen; domains have theirs through the API. */
export const operators = ['google', 'microsoft', 'yahoo', 'apple']

/** A receiver by name; one that is no large operator is its domain. */
export const labelReceiver = (receiver: string): string => names.get(receiver) ?? receiver
