import { MAX_LENGTH, matchAny } from './phrases.ts'

/** Phrases about us: who sends, from where, with which authentication and reputation. */
const isAboutSender = matchAny(`
sender (address|e-mail|email|email address|domain|ip|ip address|verify|verification|id|host) … (rejected|refused|denied|fail|failed|failure|invalid|blocked|blacklisted|not|does|doesn't|unknown)
(sender|from) (is|was|has been|isn't) … (rejected|denied|blocked|banned|blacklisted|spammer|invalid|not|on|unknown|in my)
sender:? (rejected|refused|denied|blocked|unknown|not|does|is not|invalid)
(invalid|unknown|bad|bogus|forged|unroutable|unresolvable|unverified|unauthenticated|illegal|null|empty|empty envelope|spoofed|banned|malformed) (sender|senders|mail from|return path|from address|envelope sender)
domain of sender
sender:? @addr:? (domain |address |host )?(does|doesn't|is|isn't|was|has|cannot|can't|could|not|rejected|refused|denied|blocked)
\\(sender
mail from:? (user|address|account|domain|mailbox) (unknown|not found|does not exist|invalid)
(no such host|host name|hostname|dns|lookup|entry|record|records|name) … (for|of) \\[?\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}
(ip|ip address|address|host|client) \\[?\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\]? … (no|not|without|lacks) … (dns|ptr|rdns|reverse|name|hostname|resolve)
\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\]? (is |was )?(unknown|invalid|not found|does not exist|does not resolve|cannot be resolved|can't be resolved|could not be resolved)
(unknown|invalid|no such|bad|unresolvable|nonexistent|non-existent) (host|hostname|ip|ip address|client|address) \\[?\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}
5\\.5\\.4 invalid domain name
sender's
valid sender
sending (domain|server|ip|host|mta|address|limit|quota|system)
purported responsible address
from (address|domain|header|field|line) … (not|invalid|rejected|does|must|fail|denied)
(from|from:) domain is invalid
mail from … (not owned|denied|refused|rejected|not allowed|not accepted|invalid|does not|domain|disallowed)
mail from command rejected
messages? from … (blocked|not accepted|refused|rejected|deferred|weren't sent|denied)
mail from (ip|your|this|dynamic|hosts)
(from|of) your (ip|host|server|domain|network|isp|mail server)
your (ip|ip address|host|hostname|server|mail server|mailserver|network|domain|domain name|isp|provider|email address|e-mail address|access|dns|reverse dns|spf|dkim|dmarc|reputation|helo|rdns|remotehost|connection|mta|sending|system's|organization|country) … (is|has|was|are|does|do|did|not|must|need|requires|blocked|listed|rejected|denied|to|looks|settings|fails|failed|by|mail)
you are (not allowed|not authorized|not permitted|sending|blacklisted|blocked|banned|trying to use)
you (do not|don't|must|need to|have to|have been|are not) … (permission|permitted|authori(s|z)ed|authenticate|authentication|allowed|blocked|banned|whitelisted)
not (authorized|authorised|allowed|permitted|allowing) to (send|relay|post|connect|submit|use|deliver|email|mail|access|perform)
(delivery|message|not|sender) (is )?not authori(s|z)ed
notauthorized
authrequired
not have permission to (send|post|submit)
permission to post
relay(ing)? (access )?(denied|not|is not|prohibited|refused|disabled|restricted|forbidden|mail|disallowed|rejected|attempt|failed|is disabled|is prohibited|through)
(unable|not permitted|not allowed|refuse|refuses|refused|won't|will not|cannot|can't|do not|don't|does not|not configured|no|not|unauthorized|illegal|insecure|deny|denies) (to )?(mail )?relay(ing)?
(as a|open|third-party|third party|mail|smtp) relay(ing)?
relay error
not a (registered )?gateway
allowed (list of )?rcpthosts
(don't|do not|not) handle mail for
not local host
mail server requires authentication
authenti(fi)?cation (is )?(required|failed|failure|failures|unsuccessful|requise|invalid|needed|turned on|check|requirements|level|credentials)
(not|didn't|doesn't) (been )?(authenticated|authenticate|pass authentication)
(unauthenticated|must (first )?authenticate|pop before smtp|smtp auth|sender authentication)
(spf|sender policy framework|dkim|dmarc|sender id|domainkeys)
(reverse|rdns|ptr|fcrdns) (dns|lookup|hostname|host name|record|records|resource|ip|name|mapping|entry|is|for)
(rdns|fcrdns|no ptr|missing ptr|ptr records?|ip name lookup|reverse dns|reverse lookup)
(find|resolve) your (hostname|host|reverse hostname|address|ip|domain|name)
(helo|ehlo) (command |name |host |string )?…(rejected|invalid|denied|not|required|bad|error|access)
(invalid|bad|wrong|forged) (helo|ehlo)
client (host|was|address|ip) … (rejected|blocked|not authenticated|denied|refused|banned)
refused to talk to me
connection(s)? (not accepted|will not be accepted|denied|rejected|blocked) (from|by|due)
(not accepting|do not accept|does not accept|will not accept|don't accept|not accepted|not currently accepting) (mail|email|e-mail|messages|connections) from
(ip|host|server|address|network|domain|isp) … (is|are|was|has been|been|being) … (blocked|blacklisted|listed|banned|blocklisted|denied|refused)
blocked (using|by|at|for|due|because|list|see|address|until|from|ip|temporarily|access)
(are|is|been|was|being|temporarily|email|mail|message) blocked
blocked - see
you have been blocked
(black|block|deny|ban|block-|black-|block |black |deny )(list|lists|listed|listing)
(listed|found) (at|in|on|by) … (rbl|bl|dnsbl|list|spamhaus|spamcop|sorbs|abuseat|drbl)
(rbls?|dnsbls?|surbl|uribl|xbl|sbl|pbl|drbl)
aup#(cxdns|cxsndr|cxbl|cxrbl|cxmjrnd|cxmxrt|\\d{1,6}|i|o|in|out)
submitted from inbound ip
(spamhaus|spamcop|sorbs|barracudacentral|senderbase|senderscore|abuseat|uceprotect|mail-abuse|njabl|ordb|dsbl|trendmicro|spameatingmonkey)

(poor|low|bad|ip|domain|email|sender|domain's|low|your) … reputation
reputation (score|problem|problems|of|is|filter|service|block)
(user|customer|recipient) complaints
(sent|sending|too many) (spam|spams|junk)
(as|is|be|looks like|like|considered|possible|probable|probably|suspected|identified|detected|contains?|classified|likely|for|no|any|accept|seems to be|marked|anti|against|not|because of|blacklisted) … spam
spam (message|mail|email|content|score|filter|filtering|policy|detected|rejected|rule|source|points|block|list|not|is|engine|limit|or|detecte|check|probability|like|profile|blocked|denied)
(spam-like|spammer|spammers|spamming|spam-related|spamprofiler|spambouncer|antispam|anti-spam|spamassassin|ube|ubm)
(unsolicited|bulk mail|bulk email|bulk e-mail|mass mailer|mass mail|junk mail|junk email|bulk.advertising)
(phish|phishing|fraud|scam|suspicious|malicious)
(message |mail )?content (is |was |has been )?(rejected|denied|refused|blocked)
content filter
(reject|rejects|rejected|rejecting|rejection|refused|denied|blocked) … (content|polic(y|ies))
(banned|blacklisted) url
(local|security|company|organi(s|z)ation|administrative|organi(s|z)ational|acceptable use|email|message|site|our|recipient|domain) (policy|policies|settings)
policy (reasons|reason|violation|violations|restriction|restrictions|rejection|block|settings)
(members only|members-only|closed (mailing )?list|not subscribed|non-member|not a (list )?member|subscribers? only|moderat(or|ed)|not allowed to post|post to this|posting to|posts without)
(not|isn't) on … (list|guest list|whitelist) (of senders)?
(whitelist|white list|white-list|allow list|allowlist|safe list|waitlisted|guest list)
(requires|awaiting|pending) (confirmation|approval|verification|moderation)
confirm this mail server
(not|only) accept(s|ing)? (mail|email|e-mail|messages) from
pre-approved
only … (posts|mail|messages) from (list )?(members|subscribers)
(daily|hourly|sending|message|recipient|per day|per hour|user sending) … (limit|quota) (exceeded|reached|for)
(exceeded|reached) … (sending|daily|hourly|message sending) (limit|quota|rate)
(unusual|suspicious|abnormal|high) (rate|volume|traffic|activity|number) (of)?
unexpected volume
traffic … not accepted
(bounce address tag|batv|backscatter|third-party dsns|unsigned dsn|bouncedeny)
(not|unowned) owned by user
not owned by
(is|are) not verified
identities failed the check
(tls|starttls|encryption) (is )?(required|needed|must)
must issue a starttls
(dynamic|generic|residential|dial-up|dialup|zombied) (ip|ips|ip address|host|hosts|range|ptr|dns|pool)
(open proxy|direct-to-mx|third party)
(administrative prohibition|administratively (prohibited|denied|blocked|rejected))
access (from|for|to) … (denied|blocked|forbidden|refused|rejected|mail server)
(server|host) access … forbidden
no access from
access denied … (ip|banned|banned sending|as\\(|sender|spamlisted|unauthenticated|mail from)
banned (sending|sender|ip|host|address|content)
rejected by … (user|recipient|receiver|rule|filter|preferences|owner)
rejected … (rule|rules|filter|filters|preferences)
(recipient|user) (preferences|rules?|reject|has blocked|blocked|refuses|refused|does not want|doesn't want|chose|wishes)
(has|have) (blocked|restricted|rejected) … (you|sender|mail|email|sms|messages)
not listed as a (valid|trusted|permitted)
(rule imposed|denied by|envelope blocked|message filtered|message refused|go away|get lost|use the smtp server of your)
tosa@
a problem occurred. ask your postmaster
ask your postmaster for help
service refused
mail server at … blocked
group you tried to contact
groups.google.com/support
(ou|sc|dy|rp)-00\\d
as\\(\\d
\\[(ts|ph|tss|phs)\\d
ofr_?\\d*_?(402|506|103|510|102|105|104|108|109|999)
gu_eib
challenge
domain does not exist:
e2110
invalid domain, see
(no valid recipients from|too many invalid recipients)
mx records for … (sender|your)
sender (domain|address) (is|listed|was|on) … (empty|at|list|listed)
(senderfilterconfig|fully qualified email address required|empty email address|mismatches client ip|low priority|dead domain|bad ip profile|invalid ip for sending|not accepting connections|dns check failure)
mail of domain
messages with multiple addresses
system has detected that this message
(not|only) accept(ing)? (mail|messages|email) (with|containing|from)
we do not accept messages
(unacceptable|banned|objectionable|offensive|inappropriate) content
(spam|ube) … (virus|viruses)
(virus|viruses|virus/spam|spam/virus) … spam
550 : user unknown
will not accept (delivery of )?(this|your) (message|mail)
ip check failed
url … (is|was|are) (listed|blacklisted|blocked)
(dt|rp|mi|hl|cl):[a-z]{3}
(sender|sending) domain
over foreign mailservers
sender (e-mail |email |mail |ip |host )?address
your (account|mailbox) … (is|has|was|have)
(outgoing|outbound|sending) … (suspended|disabled|blocked|prohibited)
too many (unknown|bad|invalid|nonexistent) (user|users|recipient|recipients|rcpt|rcpts|addresses)
(helo|ehlo)
(client|sending|connecting|your) (host|hostname|server|ip|mta) … (unknown|not found|does not resolve|not resolve)
(you are|you're|sender is|you aren't) not? ?(a |an )?(subscriber|member|subscribed|registered|authorized|allowed)
not (a |an )?(subscriber|member) (of|to)
allowed senders
(callout|callback) (verification|setup|failed)
`)

/** What we are called, where it is certain: a "remote host" may be the recipient's. */
const NAMES =
  "(?:(?:envelope )?sender|(?:envelope|header|mail)[ -]from(?: address| domain)?|from (?:address|domain|header|field|host)|return[ -]?path|reverse[ -]?path|originat(?:or|ing)|bounce address|reply-to|client (?:host|hostname|name|ip|address)|(?:connecting|sending|submitting) (?:host|server|client|ip|mta|domain|system)|domain in from|your (?:domain|host|hostname|server|address|mailbox|ip|ip address|email address|e-mail address))(?:'s)?(?: address| domain| host| name| e-?mail){0,2}"
const FAULTS =
  "(?:(?:do|does|did|is|was|has|could|can)(?:n't| not)|not|cannot|no|unknown|invalid|illegal|bad|unresolvable|undeliverable|unrout(?:e)?able|non-?existent|non existent|nonexisting|disabled|blocked|rejected|refused|denied|unverified|fail(?:s|ed|ure)?)"
/** Whether we, and not a recipient, are said to be unknown or to lack something: at most three words lie in between. A colon and an address are a field. */
const isSenderFault = new RegExp(
  `(?<![a-z0-9-])(?:${NAMES}(?::(?! @addr))?(?: (?!said|recipient|rcpt|user|to )[^\\s:]{1,64}){0,3} ${FAULTS}|${FAULTS} (?:such )?(?:or [a-z]{1,12} )?${NAMES})(?![a-z0-9])`,
  'u',
)

/** Words about us. They never blame an address. */
export const blamesSender = (words: string): boolean =>
  isAboutSender(words) || isSenderFault.test(words.slice(0, MAX_LENGTH))

/** Weaker words of the same kind: they decide where nothing is said about the recipient and the code says nothing. */
export const hintsAtSender = matchAny(`
spam
(policy|policies)
(blocked|banned|prohibited|forbidden|denied|refused|restricted|violation|violates|unacceptable|quarantined|undesired|suspected)
(message|mail|email|e-mail|transaction|content|delivery|request|rejected -|connection|mails) (was |has been |is |were )?(rejected|refused|not accepted|not allowed)
(rejected|rejecting|reject)( by|:|,|;| -| for| due| as| because| message| mail| in)
access denied
(not allowed|not permitted|not authorized|unauthorized|insufficient permission)
`)
