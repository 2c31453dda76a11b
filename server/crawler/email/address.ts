import { domainToASCII } from 'node:url'
import { parse } from 'tldts'

const LOCAL = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._%+'&~#$!=-]{0,63}$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Domains that stand for any domain (RFC 2606, and what forms and manuals are filled with). */
const SAMPLE_DOMAIN =
  /^(?:(?:[\w-]+\.)*example\.[a-z.]{2,6}|(?:domain|domainname|company)\.(?:com|net|org|de|co|fr|it|es|nl)|(?:your|my|our|some|any)-?(?:domain|company|companyname|website|site|email|mail|business|store|shop|organi[sz]ation|host|server|provider|isp|name|domainname)\.[a-z.]{2,6}|(?:ihre?|deine?|meine?|muster)-?(?:domain|firma|mail|website|mann)\.(?:de|com|at|ch)|(?:votre|mon)-?(?:domaine|site|email|entreprise)\.(?:fr|com)|(?:tu|su)-?(?:dominio|correo|empresa)\.(?:es|com)|(?:tuo|il-?tuo)-?(?:dominio|sito)\.(?:it|com)|(?:beispiel|exemple|ejemplo|esempio|voorbeeld|przyklad)\.(?:de|com|at|ch|fr|es|it|nl|pl)|emailaddress\.com|email\.tld|acme\.com)$/
/** Locals that are a placeholder whatever follows. */
const SAMPLE_LOCAL =
  /^(?:your[._-]?(?:name|email|mail|address|username)|you|yourname|username|user[._-]?name|firstname[._-]lastname|vorname[._-]nachname|ihre?[._-]?(?:name|email|mail|adresse)|prenom[._-]nom|nombre[._-]apellido|nome[._-]cognome|imie[._-]nazwisko|name[._-]surname|email[._-]?address|example|beispiel|max[._-]?mustermann|erika[._-]?mustermann|placeholder|mail[._-]?adresse)$/i
/** Both halves are words that stand for any: test@test.com, someone@somewhere.org. */
const SAMPLE =
  /^(?:test|tester|foo|bar|abc|asdf|xxx|xyz|someone|somebody|anyone|user|me|name|mail|email|hello|john|jane|john\.?doe|jane\.?doe)@(?:test|bar|baz|foo|abc|asdf|xxx|xyz|somewhere|somesite|website|site|mail|email|doe)\.[a-z]{2,4}$|^([a-z])@\1\.com$/i
/** Endings that registries sell and code is full of. */
const CODE_ENDING = /\.(?:java|foo|so|zip|mov)$/
/** Hosts whose addresses are keys of services, or belong to programs. */
const MACHINE_DOMAIN =
  /(?:^|\.)(?:sentry\.io|ingest\.[\w.-]*sentry\.io|sentry[\w-]*\.wixpress\.com|wixpress\.com|sentry\.[\w-]+\.\w+|bugsnag\.com|rollbar\.com|raygun\.(?:io|com)|group\.calendar\.google\.com|[\w-]+\.gserviceaccount\.com|users\.noreply\.github\.com|noreply\.github\.com|unicode\.org|schema\.org|w3\.org)$/
const CODE_HOST = /(?:^|\.)(?:github|gitlab|bitbucket|codeberg|gitea|sourceforge|ssh\.dev\.azure)\.\w+$/

/** Whether a domain can hold mail by its form: labels, and an ending that the registries know. Returns it in ASCII. */
export function mailDomain(text: string): string | undefined {
  const domain = /[^\x20-\x7e]/.test(text) ? domainToASCII(text) : text.toLowerCase()
  if (domain.length < 4 || domain.length > 253) return undefined
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  const { isIcann, domain: registered } = parse(domain, { extractHostname: false, validateHostname: false })
  if (!isIcann || registered === null) return undefined
  // Densities of pictures and versions: `logo@2x.ai`, `pkg@1.0.0-beta.de`.
  if (/^\d+(\.\d+)?x\.|^v?\d+\.\d/.test(domain)) return undefined
  return domain
}

/** Whether a local part and a domain name nobody: samples of manuals, keys of services, versions, commits. */
export function isNobody(local: string, domain: string): boolean {
  if (SAMPLE_DOMAIN.test(domain) || SAMPLE_LOCAL.test(local) || MACHINE_DOMAIN.test(domain)) return true
  if (SAMPLE.test(`${local}@${domain}`) || CODE_ENDING.test(domain)) return true
  if (local === 'git' && (CODE_HOST.test(domain) || domain.startsWith('git.'))) return true
  // Entries of calendars, objects of programs.
  if (/^\d{8}t\d{6}z/i.test(local) || /^[0-9a-f]{6,8}\.run$/i.test(domain)) return true
  // Keys and hashes: long runs of hexadecimal digits, or of letters and digits mixed without sense.
  if (/^[0-9a-f]{20,}$/i.test(local) || /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(local)) return true
  return local.length > 30 && (local.match(/\d/g)?.length ?? 0) > 8
}

/** An address put together from its halves, or nothing where it cannot be one. */
export function joinAddress(local: string, domainText: string): string | undefined {
  if (!LOCAL.test(local) || /\.\.|\.$/.test(local)) return undefined
  const domain = mailDomain(domainText)
  if (!domain || isNobody(local, domain)) return undefined
  return `${local}@${domain}`
}
