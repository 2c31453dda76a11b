import { createRequire } from 'node:module'
import { getDomain } from 'tldts'

/** What an address says about itself, without asking anybody. */
export interface Qualities {
  /** Of a function (info@, sales@) and not of a person. */
  isRole: boolean
  /** At a provider where anybody gets an address. */
  isFree: boolean
  /** At a provider of addresses for once. */
  isDisposable: boolean
}

// Not in the list of marketing people's that we use, and common where pages are not in English.
const ROLES = [
  ...[
    'kontakt',
    'contacto',
    'contato',
    'contatti',
    'contatto',
    'hallo',
    'hello',
    'hola',
    'mail',
    'email',
    'post',
    'office',
  ],
  ...[
    'buero',
    'zentrale',
    'verwaltung',
    'empfang',
    'redaktion',
    'presse',
    'vertrieb',
    'verkauf',
    'einkauf',
    'buchhaltung',
  ],
  ...[
    'bewerbung',
    'personal',
    'datenschutz',
    'impressum',
    'shop',
    'bestellung',
    'rechnung',
    'technik',
    'ventas',
    'comercial',
  ],
  ...[
    'accueil',
    'secretariat',
    'secretaria',
    'direction',
    'segreteria',
    'amministrazione',
    'informazioni',
    'biuro',
    'booking',
  ],
  ...['reservations', 'reservation', 'dpo', 'gdpr', 'legal', 'team', 'enquiries', 'inquiries', 'enquiry', 'reception'],
]

interface Lists {
  roles: Set<string>
  providers: Set<string>
  disposable: Set<string>
}

let lists: Lists | undefined

/** Some 20,000 words, read when the first address is looked at (5 ms, 2 MB). Example domains are no provider's. */
function load(): Lists {
  const require = createRequire(import.meta.url)
  const names = (list: Iterable<string>) => new Set([...list].map((name) => name.toLowerCase()))
  return {
    roles: names([...(require('role-based-email-addresses') as string[]), ...ROLES]),
    providers: names((require('email-providers/all.json') as string[]).filter((name) => !/^example\./.test(name))),
    disposable: names(
      (require('disposable-email-domains-js') as { disposableEmailBlocklist(): string[] }).disposableEmailBlocklist(),
    ),
  }
}

/** Judges an email address by lists; the domain above a subdomain counts too. */
export function judgeAddress(address: string): Qualities {
  lists ??= load()
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase().replace(/\+.*$/, '')
  const domain = address.slice(at + 1).toLowerCase()
  const domains = [domain, getDomain(domain) ?? domain]
  const isDisposable = domains.some((name) => lists?.disposable.has(name))
  return {
    isRole: lists.roles.has(local) || lists.roles.has(local.replace(/[._-]?(?<!\d)\d+$/, '')),
    isFree: !isDisposable && domains.some((name) => lists?.providers.has(name)),
    isDisposable,
  }
}
