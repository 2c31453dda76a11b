/** Who receives the mail of a domain, as far as its name tells: four operators have many domains each. */

/** What stands behind an operator's names: .com, .de, .co.uk, .com.br. */
const ENDINGS = String.raw`(com|net|[a-z]{2}|com?\.[a-z]{2})`

/** The domains of mail operators as regular expressions that JavaScript and PostgreSQL read alike. */
export const OPERATORS: Readonly<Record<string, string>> = {
  google: String.raw`^(gmail|googlemail)\.com$`,
  microsoft: String.raw`^((hotmail|live|outlook|msn|windowslive)\.${ENDINGS}|passport\.com)$`,
  // Yahoo Japan is another company.
  yahoo: String.raw`^((?!yahoo\.co\.jp$)yahoo\.${ENDINGS}|(ymail|rocketmail|myyahoo|aol|aim|verizon|sbcglobal|bellsouth)\.(com|net)|att\.net)$`,
  apple: String.raw`^(icloud|me|mac)\.com$`,
}

const patterns = Object.entries(OPERATORS).map(([name, pattern]) => [name, new RegExp(pattern)] as const)

/** The receiver of an address: a mail operator such as google, else the domain; '' of what is no email address. */
export function findReceiver(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return ''
  const domain = address.slice(at + 1).toLowerCase()
  return patterns.find(([, pattern]) => pattern.test(domain))?.[0] ?? domain
}
