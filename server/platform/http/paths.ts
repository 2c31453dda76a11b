/** Whether a path belongs to the machine side, where an unknown address is a JSON 404 and never a page. */
export const isMachinePath = (url: string): boolean =>
  /^\/(api|t|u|v|confirm|media|healthz|readyz|metrics|assets)(\/|\?|$)/.test(url)

/** Whether a path is that of a link in an email, which readers open. */
export const isLinkPath = (url: string): boolean => /^\/(t|u|v|confirm)(\/|\?|$)/.test(url)
