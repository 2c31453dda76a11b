import { matchAny } from './phrases.ts'

/** Words about this message: its size, its attachments, its form. */
export const blamesContent = matchAny(`
(message|mail|email|e-mail|body|header|file|attachment|data|it|msg) … too (big|large|long)
too (big|large) … (message|attachment|mail|body)
(message|mail|email|body|maximum|max|inbound|incoming|header|data) (message |file |body |data )?(size|length) … (exceed|exceeds|exceeded|limit|too|greater|larger|restriction|restrictions|over|maximum|fixed|not|violat|administrative)
(exceed|exceeds|exceeded|exceeding|over|larger than|bigger than|violates) … (message size|message length|size limit|maximum size|size restriction|size allowed|maximum message|max message|inbound message size|message limit|maximum allowed size|size of)
size (limit|limits|restriction|restrictions) … (exceeded|reached|for|on|of)
size limit
(sendsizelimit|recvsizelimit|maximum message size|max message size|maximum inbound message|maximum incoming message)
(line too long|line limit exceeded|lines? (is |are )?too long|bare (lf|cr|linefeed|newline)|8-bit data|improper use of 8-bit)
(virus|viruses|infected|malware|trojan|worm|ransomware) … (detected|found|in|was|is|with|or|message|content|rejected|infected|name|attachment|scanner)
(contains?|detected|possible|infected with|with|carries|found) (a |the |an )?(virus|viruses|malware|trojan|worm)
(virus|malware|infected)
(attachment|attachments|attached file|file) … (not|block|blocked|prohibited|illegal|rejected|dangerous|executable|forbidden|type|types|denied|extension|name|names|banned|password|encrypted)
(illegal|prohibited|executable|dangerous|banned|forbidden|unacceptable|encrypted|potentially|accepting mail with|mail with) (attachment|attachments|file|files|content|executable|security|embedded)
(file type|file extension|filename extension|executable files)
(malformed|invalid|illegal|missing|unparseable|incorrect|bad|broken|duplicate|multiple|no|without|improperly-formatted) … (header|headers|mime|message-id|date field|from header|date header|to header|resent-from|content-type|encoding|boundary)
(header|headers|mime) … (error|errors|malformed|missing|not accepted|too long|too large|exceeds|limit|complexity|syntax)
(header error|header size|protocol violation|message format|not rfc|non-rfc|rfc ?(822|2822|5322) … (compliant|violation|compliance))
(prohibited|banned|forbidden) (word|words|language|subject)
presents a potential security
mime complexity
e?xe?ceeded the maximum size
maximum allowed size
improperly-formatted binary
too many "?received"? headers
too many received: headers
(mail |)message is malformed
(7bit|8bit|8bitmime|smtputf8|base64) … (not supported|required|not allowed|needed|encoding)
`)
