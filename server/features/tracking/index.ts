/** Tracking: opens, clicks, unsubscribes, and what they add up to. */
export { openedAndClicked } from './engagement.ts'
