/** The page of the connected accounts. */
export const GMAIL_ACCOUNTS = '/gmail-sender/accounts'

/** The page that says what to click in Google's console. */
export const SETUP = '/gmail-sender/setup'
