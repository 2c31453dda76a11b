/** The page that says what to click in Google's console. */
export const SETUP = '/gmail-sender/setup'
