/** What a site's robots.txt says to us (RFC 9309, with Crawl-delay and Sitemap as sites use them). */
export interface Robots {
  /** Whether an address of this site may be fetched; `path` with its query, as in the request line. */
  allows(path: string): boolean
  /** Seconds between two requests that the site asks for. */
  crawlDelay: number | undefined
  sitemaps: string[]
  /** Bytes it takes in memory, about. */
  size: number
}

interface Rule {
  allow: boolean
  pattern: string
  /** Octets of the pattern: the longest one that matches decides. */
  weight: number
}

interface Group {
  agents: string[]
  /** As they stand in the file: only those of the groups that are meant are worth more work. */
  rules: { allow: boolean; path: string }[]
  crawlDelay: number | undefined
}

/** As much as the standard asks to read; what lies behind is as if it were not there. */
const MAX_CHARACTERS = 512_000
const MAX_RULES = 20_000
const MAX_SITEMAPS = 500
const MAX_SITEMAP_LENGTH = 2_048
const MAX_NAME_LENGTH = 100
/** Octets of patterns with stars by octets of the path that one answer may compare: 5,000 ordinary rules, or three milliseconds of rules made to take long. */
const MAX_COMPARED = 20_000_000
/** Bytes a rule takes beside its pattern, about. */
const RULE_SIZE = 64

/** Every rule allows: there is no robots.txt (4xx). */
const allowAll: Robots = { allows: () => true, crawlDelay: undefined, sitemaps: [], size: 0 }
/** No rule could be read: the server fails or cannot be reached, which means that nothing may be fetched (2.3.1.4). */
const disallowAll: Robots = { allows: (path) => path === '/robots.txt', crawlDelay: undefined, sitemaps: [], size: 0 }

/**
 * Percent-encoding as it is compared (2.2.2): letters, digits and `-._~` plainly, other octets beyond ASCII encoded, digits
 * of encodings in capitals.
 */
function normal(path: string): string {
  const plain = path.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/%[0-9a-fA-F]{2}|[^\x21-\x7e]/gu, (char) => {
    if (!char.startsWith('%')) return encoded(char)
    const octet = String.fromCharCode(Number.parseInt(char.slice(1), 16))
    return /[A-Za-z0-9\-._~]/.test(octet) ? octet : char.toUpperCase()
  })
  return copyText(plain)
}

const encoded = (char: string) => Buffer.from(char).toString('hex').toUpperCase().replace(/../g, '%$&')

/** A part of a string holds the whole of it in memory: what is cached for a day is a copy. */
const copyText = (text: string) => Buffer.from(text).toString()

/** Whether a pattern (`*` any octets, `$` the end) matches the beginning of a path. Linear but for the stars, without regular expressions. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  let at = 0
  for (const [i, part] of parts.entries()) {
    if (i === 0) {
      if (!path.startsWith(part)) return false
      at = part.length
    } else if (anchored && i === parts.length - 1) {
      return path.length - part.length >= at && path.endsWith(part)
    } else {
      const found = path.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
  }
  return !anchored || at === path.length
}

/** The name and the value of a line, without its comment. No expressions: they take long for lines made to that end. */
function parseLine(line: string): { key: string; value: string } | undefined {
  const hash = line.indexOf('#')
  const text = hash < 0 ? line : line.slice(0, hash)
  const colon = text.indexOf(':')
  if (colon < 0 || colon > MAX_NAME_LENGTH) return undefined
  const key = text.slice(0, colon).trim().toLowerCase().replace(/[\s-]/g, '')
  return { key, value: text.slice(colon + 1).trim() }
}

function parseGroups(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let named = false
  let rules = 0
  for (const line of text
    .replace(/^\ufeff/, '')
    .slice(0, MAX_CHARACTERS)
    .split(/\r\n|\r|\n/)) {
    const field = parseLine(line)
    if (!field) continue
    const { key, value } = field
    if (key === 'sitemap' && value && value.length <= MAX_SITEMAP_LENGTH && sitemaps.length < MAX_SITEMAPS)
      sitemaps.push(copyText(value))
    if (key === 'useragent') {
      if (!named) groups.push({ agents: [], rules: [], crawlDelay: undefined })
      groups.at(-1)?.agents.push(value.toLowerCase())
      named = true
      continue
    }
    const group = groups.at(-1)
    if (!group) continue
    // The spellings Google's parser forgives too.
    const isRule = /^(allow|dis+al+ow|disalow|dissallow|dissalow|diasllow|disallaw)$/.test(key)
    if (isRule || key === 'crawldelay') named = false
    if (isRule && value && rules++ < MAX_RULES)
      group.rules.push({ allow: key === 'allow', path: /^[/*$]/.test(value) ? value : `/${value}` })
    if (key === 'crawldelay' && /^\d+(\.\d+)?$/.test(value)) group.crawlDelay ??= Number(value)
  }
  return { groups, sitemaps }
}

/** The product token of a user-agent line: `Postlark/1.0` names postlark. */
const parseProductToken = (agent: string) => /^[a-z_-]+/i.exec(agent)?.[0] ?? agent

/**
 * What the answer to a request for robots.txt means (2.3.1): a text is read, any 4xx but 429 means that there is none, and a
 * server that fails, is too busy or cannot be reached (undefined) means that nothing may be fetched for now.
 */
export function interpretRobots(response: { status: number; text: string } | undefined, agent: string): Robots {
  const status = response?.status ?? 0
  if (response && status >= 200 && status < 300) return readRobots(response.text, agent)
  return status >= 400 && status < 500 && status !== 429 ? allowAll : disallowAll
}

/** Reads a robots.txt for the robot of this name (its product token, compared without case). Never throws. */
export function readRobots(text: string, agent: string): Robots {
  const { groups, sitemaps } = parseGroups(text)
  const ours = groups.filter((group) => group.agents.some((name) => parseProductToken(name) === agent.toLowerCase()))
  // Groups of one name are one group; without any of ours, those for everybody.
  const meant = ours.length > 0 ? ours : groups.filter((group) => group.agents.includes('*'))
  const rules = meant
    .flatMap((group) => group.rules)
    .map(({ allow, path }): Rule => {
      const pattern = normal(path)
      return { allow, pattern, weight: pattern.length }
    })
    .sort((a, b) => b.weight - a.weight || Number(b.allow) - Number(a.allow))
  return {
    allows(path) {
      if (path === '/robots.txt') return true
      const plain = normal(path)
      let compared = 0
      for (const { pattern, weight, allow } of rules) {
        if (pattern.includes('*')) compared += weight * plain.length
        // Made to take long: what no longer rule allowed is not fetched.
        if (compared > MAX_COMPARED) return false
        if (matches(pattern, plain)) return allow
      }
      return true
    },
    crawlDelay: meant.map((group) => group.crawlDelay).find((delay) => delay !== undefined),
    sitemaps,
    size: rules.reduce((sum, rule) => sum + rule.weight + RULE_SIZE, 0) + sitemaps.join('').length,
  }
}
