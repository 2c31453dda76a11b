/** A place where an avoided word is right: a glob of paths and, optionally, what the line holds. */
export interface AllowedWord {
  path: string
  word: string
  line?: RegExp
  reason: string
}

/** A word in a comment, where people are meant. */
const inComment = (word: string) => new RegExp(`(?<=/\\*\\*.*|\\* .*|// .*)\\b${word}\\b`, 'g')

// By their stems, because other verbs end in -ise everywhere: advertise, exercise.
const BRITISH_STEMS =
  'normal organ neutral recogn summar minim maxim sanit author optim initial serial custom synchron special priorit final ' +
  'categor general standard visual personal token real character capital international emphas'
const BRITISH_VERBS = new RegExp(
  `(?:${BRITISH_STEMS.replace(/\b[a-z]/g, (first) => `[${first}${first.toUpperCase()}]`).replaceAll(' ', '|')})is(?:e[drs]?|ing|able|ations?)(?![a-z])`,
  'g',
)

/** How an entry of the glossary with a note in parentheses is recognized; one that is not here is judged by people. */
export const SENSES: Record<string, RegExp> = {
  // PageOf and ListOf of contracts/values.ts read as types: PageOf(Contact).
  'xOf (for everything)': /(?<=\b(?:function|const|let) )(?!PageOf\b|ListOf\b)\w*[a-z]Of(?=(?: = (?:async )?)?[(<])/g,
  'he (for a person)': inComment('[Hh]e'),
  'him (for a person)': inComment('[Hh]im(?:self)?'),
  'his (for a person)': inComment('[Hh]is'),
  'mail (as a noun for one message)':
    /(?<!\btest\(.*)\b(?:[Aa]|[Nn]ew|[Tt]est|[Ee]very|[Ee]ach) mails? (?:is|was|has|with a)\b/g,
  'asset (for an image)': /\b[Ii]mage assets?\b|\b[Aa]sset library\b/g,
  'media (for an image)': /\bupload(?:s|ed)? media\b/g,
  'waiting (for queued)': /\b(?:recipients?|messages?|emails?|contacts?) (?:is|are|still) waiting\b/g,
  'people (as a column title)': /(?:title|label|header|heading)(?:=|: )['"]People['"]|<th[^>]*>People</g,
  'readers (for recipients)': /\bto (?:its|the|all|your) readers\b|\banalytics\/readers\b|\b(?:list|export)Readers\b/g,
  'sound (for audio)': /\ban? sound\b|\bsound (?:file|message)s?\b/g,
  'is over (for has expired)': /(?<!\btest\(.*)\b(?:is|are|was) over(?: already|\.?['’"`])/g,
  'reader (of the blog)': /(?<!["'])\b[Bb]log readers?\b/g,
  'member (of the blog)': /\b[Bb]log members?\b|\b[Mm]embers? of the blog\b/g,
  'layout (for a template)': /\b(?:email|starter) layouts?\b/g,
  'pending (as a campaign state)': /\b[Cc]ampaigns? (?:is|are) pending\b|\b[Pp]ending campaigns?\b/g,
  'pending (as a message state)': /\b[Mm]essages? (?:is|are) pending\b|\b[Pp]ending messages?\b/g,
  'mock (for an emulator)': /\b[Mm]ock(?:s|ed|ing)?\b/g,
  'collection (for a crawl job)':
    /(?<!\btest\(.*)\b(?:[Aa]|[Tt]he|[Oo]ne|[Nn]ew|[Ll]ast|[Ee]ach) collections?\b(?! of contacts)/g,
  'organization (for a workspace)': /\byour organizations?\b|\borganization(?:_id|Id)\b/g,
  'team (for a workspace)': /\bteam(?:_id|Id)\b|\b[Tt]eam settings\b/g,
  'member (for a user)': /\b[Ww]orkspace members?\b|\b[Mm]embers? of (?:a|the|your|its) workspace\b/g,
  'superuser (for an admin)': /\b[Ss]uperusers?\b/g,
  'banned (for a user)':
    /\b[Bb]an(?:ned|s)? (?:an? |the )?(?:user|account)s?\b|\b(?:users?|accounts?) (?:is|are|was) banned\b/g,
  'blocked (for a user)': /\b[Bb]lock(?:ed|s)? (?:a |the )?users?\b/g,
  'disabled (for a user)': /\b[Dd]isabled? (?:a |the )?users?\b/g,
  'lead (for a contact)': /\b(?:a|new|your|the) leads?\b/g,
  'audience (for a list)': /\baudience lists?\b/g,
  'segment (for a list)': /\bcontact segments?\b/g,
  'revision (of a template)': /\btemplate revisions?\b|\brevisions? of (?:a|the) template\b/g,
  'module (for a block)': /\b(?:content|email) modules?\b/g,
  'theme (for a brand)': /\b(?:brand|email) themes?\b/g,
  'rule (for a condition)': /\b(?:display|visibility) rules?\b/g,
  'newsletter (for a campaign)': /\b(?:[Ss]end|[Ss]chedule|[Cc]reate) (?:a|the|your) newsletter\b/g,
  'mailing (for a campaign)': /\b(?:a|the|your|each|new) mailings?\b(?! list)/g,
  'drip (for a follow-up)': /\b[Dd]rip (?:campaign|email|sequence)s?\b/g,
  'WAL (for the journal)': /\bWAL\b/g,
  'soft bounce (on screens)': /\b[Ss]oft[ -]?bounces?\b/g,
  'from-address (in texts)': /(?<!leads )\bfrom address(?:es)?\b/g,
  'opening (for an open)': /\bopenings?\b(?= \(or clicks)|\b(?:count|counted|unique|first|track) openings?\b/g,
  'hit (for an event)': /\b(?:pixel|link) hits?\b/g,
  'bot (for a machine event)': /\b[Bb]ot (?:clicks?|opens?|events?)\b/g,
  'ticket (for a conversation)': /\b[Ss]upport tickets?\b/g,
  'test mode (for the sandbox)': /\b[Tt]est mode\b/g,
  'blocklist (except in names of packages)': /\b[Bb]lock-?lists?\b/g,
  'exception (for a 4xx)': /\b[Tt]hrows? an exception\b/g,
  'answers (for all four)': /(?<=\/\*\*.*|\* .*|\/\/ .*)\b[Aa]nswers\b(?! (?:to|of|are|were|in|that|given)\b)/g,
  'kept (for all three)': /(?<=\/\*\*.*|\* .*|\/\/ .*)\b[Kk]ept\b|\bkept[ _]suppressions?|\b[Kk]eptSuppressions?/g,
  'hook (for a webhook event)': /(?<![A-Za-z])whatsapp_hooks|whatsappHooks|WhatsappHooks/g,
  'MOST_ (in names)': /\bMOST_[A-Z_]+|\bconst MOST\b/g,
  // `optin` is the field of a list, `single_opt_in` its code.
  "opt-in (except in Meta's own names, and in single and double opt-in)":
    /(?<!(?:[Ss]ingle|[Dd]ouble)[ _-])(?:(?<![A-Za-z])[Oo]|(?<=[a-z])O)pt(?:ed)?(?:[ _-][Ii]|I)ns?(?![a-z])|(?<![A-Za-z])OPT_INS?(?![A-Za-z])/g,
  'reading (for a sync)':
    /(?<![A-Za-z])billing_readings?|(?<![A-Za-z])reading_until|\b(?:next|write|queue)Readings?\b|\breadingUntil\b/g,
  'LONGEST (in names)': /\bLONGEST(?:_[A-Z_]+)?\b/g,
  'came back (for bounced)': /\bcame back (?:as undeliverable|undelivered)\b/g,
  'places (for variables)':
    /\bplaces(?:In|Of)\b|\b(?:template|body|footer|header|text)(?:['’]s)? places?\b|\b(?:fills?|named|numbered|empty|begins with a) places?\b/g,
  // Not the machine value, which is quoted or a key.
  'cancelled (in texts)': /\bCancelled\b|(?<!['"])\bcancelled\b(?!['":])|(?:\bc|C)ancelling\b/g,
  'per cent (in two words)': /\b[Pp]er cent\b/g,
  '-ise (for -ize)': BRITISH_VERBS,
  'left out (for excluded)': /\bleft[ _-]out\b|(?:\bl|L)eftOut(?![a-z])|\bLEFT_OUT\b/g,
}

const CRAWLER = '{server/crawler,bench/crawl,bench/extraction}/**'
const PHONE_NUMBERS = 'the pages that are crawled write it, and schema.org names the property so'
const CHARACTER =
  /letters?,? (?:and |or )?(?:digits?|spaces|numbers)|Letters (?:and|,) ?digits|small letters|capitals? letters?|(?:16|[Ss]ixteen|two|first|other than|no|outside)[- ]letters?|letters outside|letter-spacing|letterSpacing|letter for letter|letters it is|first letters|LETTER[, ]|\bletter(?:s)? (?:stand|stands|before)\b|Letters, digits/

/** Where an avoided word is right. */
export const ALLOWED_WORDS: AllowedWord[] = [
  {
    path: '{CONTRIBUTING.md,docs/decisions/**}',
    word: 'mock (for an emulator)',
    reason: 'the technique we do not use',
  },
  { path: 'docs/decisions/0010-*', word: 'test mode (for the sandbox)', reason: 'the design that was rejected' },
  {
    path: 'server/features/senders/from-address.ts',
    word: 'from-address (in texts)',
    line: /PURPOSE/,
    reason: 'links that were sent are signed with it',
  },
  { path: 'web/features/site/**', word: 'lead (for a contact)', reason: 'the word of marketing pages' },
  { path: '**', word: 'letter', line: CHARACTER, reason: 'a letter of the alphabet, or the CSS property' },
  { path: CRAWLER, word: 'letter', reason: 'the crawler reads characters' },
  {
    path: 'web/features/gmail/accounts/password-form.tsx',
    word: 'letter',
    reason: 'the 16 letters of an app password',
  },
  { path: CRAWLER, word: 'e-mail', reason: 'pages are written so' },
  ...['e-mail', 'blacklist', 'grey', 'cancelled (in texts)', '-ise (for -ize)', 'from-address (in texts)'].map(
    (word) => ({ path: 'server/engine/bounces/{phrases,notices,samples}/**', word, reason: 'mail servers write it' }),
  ),
  { path: '**/preferences/languages/*.ts', word: 'e-mail', reason: 'German, French, Polish and Dutch spell it so' },
  { path: 'server/crawler/**', word: 'telephone', reason: PHONE_NUMBERS },
  { path: 'bench/crawl/**', word: 'telephone', reason: PHONE_NUMBERS },
  { path: 'server/features/contacts/imports/file/guess.ts', word: 'telephone', reason: 'a column of a user’s file' },
  { path: '**/*.test.ts', word: 'telephone', line: /"telephone"/, reason: 'a property of schema.org' },
  {
    path: '**',
    word: 'e-mail',
    line: /First admin, shown once/,
    reason: 'scripts read the line; docs/api-contract.md words it so',
  },
  { path: 'e2e/**', word: 'e-mail', line: /E-?mail(?:;|\\t)/i, reason: 'a column of a user’s file' },
  { path: '**', word: 'picture', line: /\/api\/pictures/, reason: 'the path is fixed' },
  { path: 'README.md', word: 'picture', line: /<\/?picture>/, reason: 'the element of HTML' },
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
    word: "opt-in (except in Meta's own names, and in single and double opt-in)",
    line: /'(?:whatsapp_opt_ins|opt_ins|no_opt_in)'/,
    reason: 'names of the preview',
  },
  {
    path: 'scripts/carry-over.ts',
    word: 'kept (for all three)',
    line: /'kept_suppressions'/,
    reason: 'the name of a table of the preview',
  },
  {
    path: 'server/features/contacts/suppressions/retained-suppressions.ts',
    word: 'kept (for all three)',
    line: /deriveKey/,
    reason: 'hashes that were stored are made with it',
  },
  {
    path: '{web,e2e}/**',
    word: "opt-in (except in Meta's own names, and in single and double opt-in)",
    line: /Public doesn’t mean opted in/,
    reason: 'marketers know the phrase',
  },
  {
    path: 'web/features/contacts/lists/**',
    word: "opt-in (except in Meta's own names, and in single and double opt-in)",
    line: /header: 'Opt-in'/,
    reason: 'the column that says single or double',
  },
  {
    path: 'scripts/carry-over.ts',
    word: 'WhatsApp account',
    line: /'whatsapp_accounts'/,
    reason: 'the name of a table of the preview',
  },
  {
    path: 'scripts/carry-over.ts',
    word: 'colour',
    line: /was: 'colours'/,
    reason: 'the name of a column of the preview',
  },
  {
    path: 'scripts/carry-over.ts',
    word: '-ise (for -ize)',
    line: /was: 'organisation'/,
    reason: 'the name of a column of the preview',
  },
  { path: 'server/crawler/phone/labels.ts', word: 'licence', reason: 'pages are written so' },
  {
    path: '{bench/extraction.ts,server/features/{campaigns,contacts}/**/*.test.ts}',
    word: 'e-mail',
    reason: 'data of users',
  },
  {
    path: 'server/features/blog/imports/import.ts',
    word: 'featured image',
    line: /featured_image/,
    reason: 'a key of imported files',
  },
]
