/** The mailbox of MAIL FROM or RCPT TO and the parameters behind it. */
export interface Path {
  /** As it was given, without the brackets; empty for the null sender. */
  address: string
  parameters: Map<string, string>
}

const ATOM = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u
const QUOTED = /^"([^"\\\r\n]|\\[ -~])*"$/
const DOMAIN =
  /^[a-z0-9\u0080-\u{10ffff}]([a-z0-9\u0080-\u{10ffff}-]*[a-z0-9\u0080-\u{10ffff}])?(\.[a-z0-9\u0080-\u{10ffff}]([a-z0-9\u0080-\u{10ffff}-]*[a-z0-9\u0080-\u{10ffff}])?)*$/iu
const LITERAL = /^\[(\d{1,3}(\.\d{1,3}){3}|IPv6:[0-9a-f:.]+)\]$/i

/** The text before the last @: what a server looks up in its own domain. */
export function localPart(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? address : address.slice(0, at)
}

/** Whether RFC 5321 lets it stand as a mailbox: 64 octets, @, a domain of at most 255. */
export function isMailbox(address: string): boolean {
  const local = localPart(address)
  const domain = address.slice(local.length + 1)
  if (Buffer.byteLength(local) > 64 || Buffer.byteLength(domain) > 255) return false
  if (!ATOM.test(local) && !QUOTED.test(local)) return false
  return (
    LITERAL.test(domain) || (DOMAIN.test(domain) && domain.split('.').every((label) => Buffer.byteLength(label) <= 63))
  )
}

/** Reads `FROM:<a@b.example> SIZE=1`, the text behind MAIL or RCPT. undefined: a syntax error. */
export function readPath(keyword: 'FROM' | 'TO', text: string): Path | undefined {
  if (text.slice(0, keyword.length + 2).toUpperCase() !== `${keyword}:<`) return undefined
  const found = /^<((?:"(?:[^"\\]|\\.)*"|[^">])*)>((?: +\S+)*) *$/.exec(text.slice(keyword.length + 1))
  if (!found) return undefined
  const parameters = new Map<string, string>()
  for (const part of (found[2] ?? '').split(' ').filter(Boolean)) {
    const [name = '', value = ''] = part.split(/=(.*)/s)
    parameters.set(name.toUpperCase(), value)
  }
  return { address: found[1] ?? '', parameters }
}
