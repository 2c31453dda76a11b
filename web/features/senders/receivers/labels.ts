const names = new Map([
  ['google', 'Google (Gmail)'],
  ['microsoft', 'Microsoft (Outlook, Hotmail)'],
  ['yahoo', 'Yahoo (AOL)'],
  ['apple', 'Apple (iCloud)'],
  ['other', 'Other receivers'],
])

/** The operators a sender can have limits for, beside domains. */
export const operators = ['google', 'microsoft', 'yahoo', 'apple']

export const isOperator = (receiver: string): boolean => operators.includes(receiver)

/**
 * A careful pace to an operator, as the form types it: two connections and an email a second, which all of them take from servers
 * they know little of.
 */
export const recommendedLimits = { connections: '2', perSecond: '1', perHour: '' }

/** A receiver by name; one that is no large operator is its domain. */
export const labelReceiver = (receiver: string): string => names.get(receiver) ?? receiver
