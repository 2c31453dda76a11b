/** Email addresses in the words and fields of reports. */

/** Characters of a field or a line that are looked at: what is sent to us may be made to be read over and over. */
export const MAX_LINE = 1_000

const ADDRESS =
  /[^\s<>()"',;:：，；、。（）「」【】＜＞[\]@|]{1,128}@(?:[\p{L}\p{N}_-]{1,63}\.){0,10}[\p{L}\p{N}_-]{1,63}/gu

/** The addresses in a line, in lower case, in their order. */
export const findAddresses = (line: string): string[] =>
  (line.slice(0, MAX_LINE).match(ADDRESS) ?? []).map((found) =>
    // X.400 and URLs put a name and an equals sign before it.
    found
      .replace(/^(?:smtp|rfc-?822|dda|address|account|user|email|to|rcpt|recipient)=|^[*.`]+|(?<![.`-])[.`-]+$/gi, '')
      .toLowerCase(),
  )

/**
 * The address of a field such as `rfc822; ada@example.com` (RFC 3464), decoded where it is written as RFC 6533 or
 * RFC 3461 say, or null.
 */
export function addressIn(field: string | undefined): string | null {
  const value = (field ?? '').slice(0, MAX_LINE).replace(/^\s*[\w.-]{1,30}\s*;\s*/, '')
  const decoded = value
    .replace(/\\x\{([0-9a-f]{1,6})\}/gi, (whole, hex: string) => fromCode(hex) ?? whole)
    .replace(/^([^@\s]{1,200})\+40(?=[^@\s]{1,255}$)/i, '$1@')
  const quoted = /"([^"\s@]{1,64})"@([^\s<>"]{1,255})/.exec(decoded)
  if (quoted) return `${quoted[1]}@${quoted[2]}`.toLowerCase()
  return findAddresses(decoded.replace(/^["'<\s]+|(?<!["'>\s])["'>\s]+$/g, ''))[0] ?? null
}

function fromCode(hex: string): string | null {
  const code = Number.parseInt(hex, 16)
  return code > 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : null
}

/** Addresses of the machines and people who report, which nobody wrote to. */
export const isReporter = (address: string): boolean =>
  /^(?:mailer-daemon|postmaster|abuse|mailadm|daemon|noreply|no-reply|donotreply|help-?desk|support|mail-?admin|root|hostmaster|admin|administrator|webmaster)@/.test(
    address,
  )
