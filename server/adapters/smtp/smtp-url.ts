import { isLoopback } from '#server/platform/config.ts'

/** How a mail server is reached by an address such as SMTP_URL. */
export interface SmtpUrl {
  /** The address without the parameter that is ours. */
  url: URL
  /**
   * `tls`: from the first byte. `starttls`: STARTTLS with a certificate that is checked, or no message. `opportunistic`:
   * encrypted where any server offers it (RFC 7435).
   */
  secure: 'tls' | 'starttls' | 'opportunistic'
}

/**
 * Reads the address of a mail server. Credentials leave only over a connection whose certificate was checked, unless the
 * server is on this machine or the address says `?tls=opportunistic`: an attacker in between could ask for them.
 */
export function readSmtpUrl(text: string): SmtpUrl {
  const url = new URL(text)
  const wanted = url.searchParams.get('tls')
  url.searchParams.delete('tls')
  if (url.protocol === 'smtps:') return { url, secure: 'tls' }
  const isGuarded = url.username !== '' && wanted !== 'opportunistic' && !isLoopback(text)
  return { url, secure: isGuarded || url.searchParams.get('requireTLS') === 'true' ? 'starttls' : 'opportunistic' }
}
