import { matchAny } from './phrases.ts'

/** A mailbox that has no room now. */
export const isFull = matchAny(`
(mail ?box|mail-box|mailfolder|mail folder|inbox|account|user|recipient|maildir|disk|disc|storage|box|home directory|folder|store|quota|spool|@addr|mailuser) … (is full|full|over ?quota|over the quota|over its quota|over their quota|over disk quota|over limit|overdrawn)
(mailbox|mail box|account|user|recipient|inbox|person's account|user's) … (exceed|exceeds|exceeded|exceeding|over|reached|beyond|reaches) … (quota|limit|storage|space|size|allocation|allowed|allowance|capacity|maximum|receiving limits)
(over ?quota|over-quota|full mailbox|mailbox full|full mail box|user is full|mbox full)
quota (is |has been |was |usage |limit |size )?…(exceeded|exceed|exceeds|full|violation|reached|used up|overflow|over)
(exceed|exceeds|exceeded|exceeding|over|reached|above|beyond) … (quota|storage allocation|storage limit|disk space|mailbox size|mailbox limit|allocated storage|allowed space|space limit|storage space|storage capacity)
(out of|insufficient|not enough|no|lack of|low on|without enough) … (storage|disk space|disc space|free space|quota|mailbox space|space left|space for|space available|space to|space in)
(storage allocation|storage quota|disk quota|disc quota|mail quota|mailbox quota|quota violation|mailbox size|mailbox exceeds|mailbox would exceed|too much mail|space has been used up|too many messages (on|in)|disk full|mail system full|no space left|mailbox space)
(number of|the) messages in … (mailbox|recipient's) … exceeded
size exceeds the maximum size allowed for mail delivery
too much mail data
`)

/** Words by which a refusal passes, stronger than those about an address: they may stand beside them. */
export const isForNow = matchAny(`
(temporarily|temporary|temporaryfailure|temporal|transient)
try (again |it |sending |to send |your message |the message |resending )?(again )?later
(rate|speed|pace) that prevents
receiving (mail|email|messages) (too (quickly|fast)|at a rate)
receiving too (many|much)
(host|name|hostname|domain|domain name|address|lookup|record) (not found|unknown|failure|failed|error)(,|;|:)? (please )?(- )?try again
(malformed|unexpected) (or unexpected )?(name server|nameserver|server) reply
(greylist|graylist|greylisted|graylisted|grey list|grey-list|greylisting|graylisting)
in too many hops
please (re)?try (in|after) \\d
come back later
delivery to (file|pipe) forbidden
mailbox unavailable or access denied
too many (connections|sessions|errors|concurrent|smtp sessions|hops|simultaneous|open connections|messages per|recipients)
(no mx found for|unrouteable mail domain|unroutable mail domain)
(frequency|rate|connection) (is )?(limited|limit)
in the queue too long
`)

/** Words of errors that pass, or that are nobody's fault; where nothing stronger is said. */
export const passes = matchAny(`
(timed out|time out|timeout|time-out|timedout)
connection … (refused|reset|timed out|lost|dropped|closed|failed|attempt|aborted|interrupted|terminated|limit|rate)
(lost connection|no connection|connect failed|connection to mail exchanger failed|connect to)
(could not|unable to|can't|cannot|couldn't|wasn't able to|not able to|failed to|failure to|did not) … (connect|establish|reach|contact|open|lock|create|write|read|resolve|complete|find a gateway|relay)
(not|no|isn't|is not) (responding|response|reachable|answering|answer from)
(host|network|destination|server|computer|destination computer|mail server) … (unreachable|down|not reachable|not available|unavailable|not responding|did not respond|not respond|offline|busy)
(did not respond|no route to host|unreachable|out of memory|no answer|delivery expired|message expired|envelope expired|delivery time|retry time|retry timeout|queue too long|too long|queue period|been in the queue|allowed queue|all hosts have been failing|long failure period|not been collected|maximum delivery attempts|delivery attempts|multiple retries|numerous attempts|retry limit)
(expired|expiration)
too many (connections|recipients|hops|received|errors|sessions|concurrent|smtp sessions|bad commands|messages|invalid recipients|aliases)
(loop|loops|looping|hop count|mail forwarding loop|too many hops|loops back)
(rate limit|ratelimit|rate limited|throttl|throttled|throttling|deferred|postponed|delayed|overloaded|busy|high load|connection limit)
(local|internal|system|server|software|resource|configuration|config|processing|dns|lookup|lmtp|io|i/o|disk|database) (server |configuration |delivery |lookup )?(error|errors|problem|failure|failed)
(local error|misconfigured|interrupted system call|command died|command failed|mailer error|bad exit|error writing|service unavailable|service currently unavailable|service not available|resources|not configured correctly|unable to transfer|transaction failed|child status|exit status|permission denied|operation not permitted|broken pipe|deadlock|protocol error|lost input channel|procmail|aliasing|expansion)
(name server|nameserver|name service|dns) … (error|failure|timeout|fail|failed|refused|servfail|no response)
(was|were) not delivered within
(for|after|within|in) \\d{1,3}(.\\d{1,2})? (day|days|hour|hours|minute|minutes)
given up
aborted after
`)
