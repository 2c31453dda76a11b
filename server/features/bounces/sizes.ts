/** How much of a report is held and read: its rest is the email it is about. */
export const MAX_HEAD = 256 * 1024
/** The largest that is sent back whole, attachments included. */
export const MAX_REPORT = 10 * 1024 * 1024
