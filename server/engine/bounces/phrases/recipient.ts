import { matchAny } from './phrases.ts'

/** Words by which an address or its domain takes no mail, permanently: it is unknown, disabled, or gone. */
export const blamesRecipient = matchAny(`
(unknown|no such|invalid|illegal|bad|wrong|incorrect|nonexistent|non-existent|non existent|nonexisting|not existing|unrecognized|disabled|inactive|deactivated|obsolete|undefined|unregistered|expired|suspended|invalid/inactive|dead|no valid) (or (illegal|unknown|unauthorized|invalid) |local |virtual |email |e-mail |mail |destination |final |destination mailbox |destination system |final delivery |envelope |smtp |user |recipient |target |sms )?(user|users|usr|recipient|recipients|mailbox|mail box|address|addresses|account|alias|addressee|local(-| )part|part|rcpt|username|user name|userid|user id|name|customer|member|subscriber|destination|mailbox path|inbox|person|login|virtual user|system address)
no (such )?(valid |local |such |mail |matching )?(user|users|recipient|recipients|mailbox|mail box|address|account|person|alias|name|member|addressee|subscriber|customer|inbox|mail account|login|one) … (here|by that name|with that name|at this|at that|on this|in this|available|matches|found|exist|exists|named|for|(in|at) @addr|currently|called)
no such (user|mailbox|recipient|address|account|person|member|id|alias|name|customer|domain|host|name here)
(user|username|user name|mailbox|mail box|recipient|recipients|address|account|addressee|alias|e-?mail|name|person|local part|local-part|login|rcpt|inbox|customer|member|subscriber|@addr|userid|destination|to|id|it|existent) … (unknown|not found|wasn't found|was not found|could not be found|couldn't be found|cannot be found|can't be found|not exist|not exists|does not exist|doesn't exist|don't exist|do not exist|doesnt exist|did not exist|not known|nonexistent|non-existent|not recognized|not recognised|not valid|isn't valid|is invalid|invalid|not listed|not present|not local|is not local|not a known|not a valid|not a user|not active|is inactive|inactive|deactivated|disabled|suspended|terminated|is closed|been closed|has closed|closed|deleted|been removed|discontinued|cancelled|canceled|is locked|been locked|frozen|unavailable|not available|is not registered|not registered|has moved|has left|have moved|retired|no longer|has expired|unregistered|undeliverable|blocked by user|not ok|is obsolete|is dead|has been replaced|has been changed|has changed)
(is not|isn't|not|is no longer) (a|an|any|our) (known|valid|active|existing|local|real|current|registered|recognized|legitimate)( |-)?(valid |active |email |e-mail |mail |local )?(user|users|recipient|mailbox|address|account|customer|alias|email|e-mail|person)
(not|isn't) our (customer|subscriber|user|client|member)
(not|isn't) a (customer|user|client|local user|local address|local mailbox)
does(n't| not) have (a|an) … (account|mailbox|mail account|final email delivery point|email)
(does not|doesn't|do not|don't) (have|know|recognize|host) (a |an |any |such |that |this |such a )?(user|account|mailbox|address|recipient)
not (listed )?in … (domino directory|address book|name directory|public name|directory)
no longer (exist|exists|active|available|valid|in use|used|in service|works|working|employed|with|accepts|accepting|on|at|a|an|here|being|monitored|operational|receives|subscribed|have|has|supported)
(email account|account) that you tried to reach (does not|doesn't|is disabled|is inactive)
(address|recipient|user|mailbox) … (couldn't|could not|cannot|can't|wasn't) be found
couldn't find any (host|user|mailbox|mail exchanger|domain)
(mailbox|mail box|mail account) (is |was |currently )?(unavailable|not available)
(recipient|recipients|mailbox|address|name|user) … not recogni(s|z)ed
(recipnotfound|recipient notfound|recipientnotfound|usernotfound|nosuchuser|no_such_user|err_no_such_user|bad(_|-)recipient|badrcptto|badrecipientto|invalidrecipient|unknown_user|userunknown|nullmx|null mx|nxdomain)
(recipient address|addresses?) rejected: … (unknown|user|undeliverable|invalid|not|no such|does|nonexistent|unverified address: … 550|temporarily inactive|inactive|mailbox)
rejected: account unavailable
5.1.0 address rejected
5.4.1 … recipient address rejected: access denied
address invalid
unrout(e)?able (address|recipient)
(unknown|no such|invalid|nonexistent|non-existent|nonexisting|illegal|unresolvable|bad|unroutable|unreachable) (mail |email |destination |recipient |remote |internet |target |host or )?(host|hosts|domain|domains|hostname|domain name|host name|host/domain)
(host|hosts|domain|hostname|domain name|host name|mail domain|host or domain name|host or domain|name or service|server name|recipient domain|destination domain|remote domain|remote system) … (unknown|not found|not known|does not exist|doesn't exist|doesnt exist|not exist|invalid|nonexistent|non-existent|could not be found|couldn't be found|must exist|cannot be found|has no mx|no mail exchanger|has no mail|not resolve|cannot be resolved|unresolvable|does not resolve|not registered)
(mx|mail exchanger|mx records?) … (non-existent|nonexistent|do not exist|does not exist|not found|unknown|no smtp service|pointing to|invalid)
(no mx|no valid mx|no mx records?|no mx or a|no mx and a|no mx/a|no a or mx|no host found|no mail exchangers?|no dns records?) …( found| record| for|found)
(does not|doesn't|do not|don't|will not|won't) (accept|receive) (any )?(mail|email|e-mail|messages)( \\(|$|\\.|,|;| at| for| on| any)
(no smtp service|domain not found|domain name not found|host not found|hostname not found|domain does not exist|host unknown|domain unknown|unknown to|not known at this)
(user|account|mailbox|recipient|customer|person|address|employee|member) … (left|leaves|moved|retired|passed away|departed|quit)
(this|that|the) (account|mailbox|address|user|recipient|email) … (has been|is|was) … (disabled|discontinued|closed|deleted|deactivated|suspended|terminated|removed|cancelled|canceled|inactive|invalid|retired|frozen|locked)
(archived recipient|unused mailbox|abandoned mailbox|deactivated mailbox|mailbox disabled|mailbox inactive|account disabled|account inactive|account closed|account expired|account suspended|user suspended|user disabled|user inactive|user deleted|extended inactivity|mailbox is frozen|account is locked|mail receiving disabled|disabled or discontinued|suspend the service|currently suspended|unpaid user)
(account|mailbox|user|box) (was |is |has been |has |been )?(disabled|inactive|suspended|closed|deleted|deactivated|terminated|locked|frozen|expired|cancelled|canceled|discontinued|archived)
(not exist|not exists|notexist|does not exist|doesn't exist|don't exist|doesnt exist)
(did not|does not|didn't|doesn't) (exactly )?match … (address|user|mailbox|recipient|account)
(can't|cannot|can not|won't) accept user
(rcpt|address) … does not exist
(email|e-mail|mail) address … (is wrong|is incorrect|no longer valid|is not correct|wrong or no longer|could not be found)
(user's|users) email name is not found
(missing home directory|unknown in … table|no matches to nameserver query)
(addressee|recipient|user|mailbox) unknown
that's not a valid user
(has been|is|is currently|been) suspended
all host address lookups failed permanently
no host found for existing smtp connection
domain is not reachable
dns server returned answer with no data
000c05a6
administrativ(ely|ly|ley) disabled
(permanently moved|has been replaced by|address has changed|new address is)
not a valid user
does not like recipient … (no such|unknown|not)
`)

/** Words that name nobody, as the last resort before the code: short replies of gateways. */
export const hintsAtRecipient = matchAny(`
(not exist|unknown user|inactive|no longer|not found|nonexistent|not known)
`)
