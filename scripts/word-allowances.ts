/** A place where an avoided word is right: a glob of paths and, optionally, what the line holds. */
export interface AllowedWord {
  path: string
  word: string
  line?: RegExp
  reason: string
}

/** How an entry of the glossary with a note in parentheses is recognized; one that is not here is not searched. */
export const SENSES: Record<string, RegExp> = {
  'answers (for all four)': /(?<=\/\*\*.*|\* .*|\/\/ .*)\b[Aa]nswers\b(?! (?:to|of|are|were|in|that|given)\b)/g,
  'kept (for all three)': /(?<=\/\*\*.*|\* .*|\/\/ .*)\b[Kk]ept\b/g,
  'hook (for a webhook event)': /(?<![A-Za-z])whatsapp_hooks|whatsappHooks|WhatsappHooks/g,
  'MOST_ (in names)': /\bMOST_[A-Z_]+/g,
  'LONGEST (in names)': /\bLONGEST(?:_[A-Z_]+)?\b/g,
  'came back (for bounced)': /\bcame back (?:as undeliverable|undelivered)\b/g,
  'places (for variables)':
    /\bplaces(?:In|Of)\b|\b(?:template|body|footer|header|text)(?:['’]s)? places?\b|\b(?:fills?|named|numbered|empty|begins with a) places?\b/g,
  'left out (for excluded)': /\bleft out\b/g,
}

const CRAWLER = '{server/crawler,bench/crawl,bench/extraction}/**'
const PHONE_NUMBERS = 'the pages that are crawled write it, and schema.org names the property so'
const CHARACTER =
  /letters?,? (?:and |or )?(?:digits?|spaces|numbers)|Letters (?:and|,) ?digits|small letters|capitals? letters?|(?:16|[Ss]ixteen|two|first|other than|no|outside)[- ]letters?|letters outside|letter-spacing|letterSpacing|letter for letter|letters it is|first letters|LETTER[, ]|\bletter(?:s)? (?:stand|stands|before)\b|Letters, digits/

/** Where an avoided word is right. */
export const ALLOWED_WORDS: AllowedWord[] = [
  { path: '**', word: 'letter', line: CHARACTER, reason: 'a letter of the alphabet, or the CSS property' },
  { path: CRAWLER, word: 'letter', reason: 'the crawler reads characters' },
  {
    path: 'web/features/gmail/accounts/password-form.tsx',
    word: 'letter',
    reason: 'the 16 letters of an app password',
  },
  { path: CRAWLER, word: 'e-mail', reason: 'pages are written so' },
  { path: 'server/crawler/**', word: 'telephone', reason: PHONE_NUMBERS },
  { path: 'bench/crawl/**', word: 'telephone', reason: PHONE_NUMBERS },
  { path: 'server/features/contacts/file/guess.ts', word: 'telephone', reason: 'a column of a user’s file' },
  { path: '**/*.test.ts', word: 'telephone', line: /"telephone"/, reason: 'a property of schema.org' },
  {
    path: '**',
    word: 'e-mail',
    line: /First admin, shown once/,
    reason: 'scripts read the line; CONTRACT.md words it so',
  },
  { path: 'e2e/**', word: 'e-mail', line: /E-?mail(?:;|\\t)/i, reason: 'a column of a user’s file' },
  { path: '**', word: 'picture', line: /\/api\/pictures/, reason: 'the path is fixed' },
  { path: CRAWLER, word: 'picture', reason: 'the element of HTML' },
  { path: '**', word: 'WhatsApp account', line: /\/api\/whatsapp\/accounts/, reason: 'the path is fixed' },
  { path: '**', word: 'stand-in', line: /\b(?:stand|stands) in\b/, reason: 'the verb' },
  {
    path: '**',
    word: 'film',
    line: /\bFilm\b|film\.|\bfilm\b(?=[,)])/,
    reason: 'the icon of lucide-react, and a file of a user',
  },
  { path: 'sandbox/gmail/imap/**', word: 'words.ts', reason: 'words of the protocol, not labels' },
  { path: 'server/crawler/email/**', word: 'words.ts', reason: 'words of a text, not labels' },
  { path: 'server/crawler/crawl/judge.ts', word: 'snippet', reason: 'a directive of robots' },
  {
    path: 'server/features/accounts/export/**',
    word: 'collector job',
    line: /'collector-jobs'/,
    reason: 'the name of a file in a user’s export',
  },
  {
    path: 'server/features/accounts/export/**',
    word: 'WhatsApp account',
    line: /'whatsapp-accounts'/,
    reason: 'the name of a file in a user’s export',
  },
  {
    path: 'scripts/carry-over.ts',
    word: 'collector job',
    line: /'collector_jobs'/,
    reason: 'the name of a table of the preview',
  },
  {
    path: 'scripts/carry-over.ts',
    word: 'picture',
    line: /'(?:workspace_)?pictures'/,
    reason: 'the name of a table of the preview',
  },
  {
    path: 'scripts/carry-over.ts',
    word: 'hook (for a webhook event)',
    line: /'whatsapp_hooks'/,
    reason: 'the name of a table of the preview',
  },
  {
    path: 'scripts/carry-over.ts',
    word: 'WhatsApp account',
    line: /'whatsapp_accounts'/,
    reason: 'the name of a table of the preview',
  },
  {
    path: '{bench/extraction.ts,server/features/{campaigns,contacts}/**/*.test.ts}',
    word: 'e-mail',
    reason: 'data of users',
  },
  {
    path: 'server/features/blog/import.ts',
    word: 'featured image',
    line: /featured_image/,
    reason: 'a key of imported files',
  },
]
