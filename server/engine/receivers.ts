/** Who receives the mail of a domain: four operators have many domains of their own, and host the domains of others. */

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

/** Where the mail servers of operators are: of Google Workspace, Microsoft 365 and the others. */
const MAIL_SERVERS: Readonly<Record<string, RegExp>> = {
  google: /(^|\.)(google|googlemail)\.com$/,
  microsoft: /(^|\.)(protection\.outlook\.com|mx\.microsoft)$/,
  yahoo: /(^|\.)yahoodns\.net$/,
  apple: /(^|\.)mail\.icloud\.com$/,
}

const patterns = Object.entries(OPERATORS).map(([name, pattern]) => [name, new RegExp(pattern)] as const)
const servers = Object.entries(MAIL_SERVERS)

/** The domain of an address in lower case; '' of what is no email address. */
export function findDomain(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? '' : address.slice(at + 1).toLowerCase()
}

/** The mail operator whose domain this is by its name, such as google; undefined: none. */
export function findOperator(domain: string): string | undefined {
  return patterns.find(([, pattern]) => pattern.test(domain))?.[0]
}

/** The mail operator that a mail server (the exchange of an MX record) belongs to; undefined: none that is known. */
export function findOperatorByServer(exchange: string): string | undefined {
  const name = exchange.toLowerCase().replace(/\.$/, '')
  return servers.find(([, pattern]) => pattern.test(name))?.[0]
}
