import Bowser from 'bowser'

/** "Firefox on Linux", from a user agent; whatever it names first when it is no browser's; "Unknown device" for nothing. */
export function describeDevice(userAgent: string): string {
  const text = userAgent.trim()
  if (!text) return 'Unknown device'
  const { browser, os } = Bowser.parse(text)
  if (browser.name && os.name) return `${browser.name} on ${os.name}`
  // "curl/8.5.0" and "node" name themselves in their first word.
  return browser.name || os.name || /^[\w.-]+/.exec(text)?.[0].slice(0, 40) || 'Unknown device'
}
