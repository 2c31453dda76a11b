/** How servers begin, divide and end what they write: markers as data, by server where one is known for it. */
import { matchAny } from '../phrases/phrases.ts'

/** Lines after which the returned email follows. */
export const returnsEmail = matchAny(`
this is a copy of (the|your) message
here is (a|your) copy of
below this line is a copy
below the next line is a copy
(a )?copy of the original message below
below is a copy of the original message
attachment is a copy of the message
included is a copy of the message header
original message (follows|attached|as received is as follows|headers|header|details|text)
(original|forwarded|returned|unsent|undelivered|failed|source) (message|mail) (follows|below|body|header|headers|attached)
- (original|forwarded|returned|unsent|undelivered|rejected) (message|mail)
(message|mail) (header|headers|text|body|content) (follows|follow|suppressed|is attached)
returned mail follows
start of returned message
header of (the )?(original|source|returned) (message|mail)
header of the original message is following
header and top \\d{1,3} lines
first \\d{1,4} lines of your original message
your message reads (in part)?
beginning of your message
summary of the undelivered message
(the )?following is (a|the) (copy|first part|original)
mensaje original
message d'origine suit
ursprüngliche nachricht
originalnachricht
kopfzeilen der ursprünglichen
- message d'origine
附件中的内容是原信件
原信件
原邮件
元のメッセージ
送信したメール
копия сообщения
исходное сообщение
diagnostic information for administrators - original headers
original headers
the original message (was|is) (attached|included)
`)

/** A line that announces the next part of a notice: what follows belongs to nobody until an address is named. */
export const beginsPart = matchAny(`
- transcript of session follows
- non-delivered information
- failure reasons
technical details
error detail
- session transcript
transcript of
(the|final) error message
`)

/** Lines that give an address for another purpose than to say who failed. */
export const namesOthers = matchAny(`
^(from|to|sender|reply-to|subject|message-id|message id|return-path|sent by|cc|bcc|von|de|betreff|objet|asunto|x-postfix-sender|envelope-from|差出人|送信者|от|received|date|sent|references|in-reply-to|x-[a-z-]{1,30}|delivered-to|reporting-mta|remote-mta|original message|message sent by|mail from):
(contact|write to|mailto:|forward this|send (an |a )?(email|e-mail|mail|message) to|assistance|questions|help|report|inquiries|problem|administrator|postmaster|support|feel this|in error|wenden sie sich|contactez|póngase en contacto)
`)

/** Notices that an email is only late: it is tried again, and another notice says how it ended. */
export const isOnlyLate = matchAny(`
(this is|is) (a |only a |just a )?(warning|advisory)( message)?[ -]?only
warning message only
this is just a warning
only a (notification|notice) about a delay
advisory-only
(do|does) not need to re-?send
(has|have|was) not yet been (delivered|able)
not yet been delivered
(has|have) been (delayed|postponed)
(is|was) delayed
message delayed
(still|will) be(ing)? retried
will be retried
(will|we'll) (continue|keep) (to )?(try|trying|attempt|attempting|to attempt)
continue trying
(keep|continue) trying (to deliver)?
(delivery )?attempts will continue
we will continue to
no action is required on your part
temporary failure report
(kept|remains|still) in the queue
still (awaiting|trying)
not yet received
a message is delayed
server will (keep|continue)
zustellung … (verzögert|verspätet)
(wird weiterhin|erneut) versucht
noch nicht zugestellt
(a été retardé|a ete retarde|n'a pas encore été)
(se ha retrasado|aún no se ha|se seguirá intentando)
(foi adiada|continuará tentando|ainda não foi)
(配信が遅れて|再送を試み|配送が遅延|引き続き配信)
(投递延迟|继续尝试|延迟通知)
(будут продолжены|доставка задерживается|ещё не доставлено|еще не доставлено)
`)

/** Notices that say in the same breath that it is over. */
export const isOver = matchAny(`
(permanent|permanently|fatal|given up|gave up|not going to try again|has failed|delivery failed|no further attempts|will not be retried|aborted after|endgültig)
`)

/** Notices of success. */
export const isDelivered = matchAny(`
(was|were|has been|have been|is) (successfully|sucessfully) (delivered|relayed|sent|forwarded|expanded|received)
message was relayed to these recipients
delivery … (succeeded|successful)
(wurde|erfolgreich) … zugestellt
`)

/** What every notice says in one way or another: the email did not arrive. */
export const saysFailed = matchAny(`
(not|n't|never) (be |been |yet )?(be )?(delivered|deliver|reached|reach|received|receive|sent|accepted|routed|processed|collected|able to deliver)
(undeliverable|undelivered|undeliver|non-delivery|nondelivery|nondeliverable|unable to deliver|couldn't deliver|failed to deliver|not deliverable|non-delivered|bounced|bounce)
(did not|didn't) (reach|receive|arrive)
(delivery|mail|message|recipient|recipients|address|addresses|attempt|transmission) … (failed|failure|unsuccessful|not possible|error|errors|aborted|problem|problems|rejected|returned|refused)
(failed|failing) … (recipient|recipients|addresses|address|delivery)
(fatal errors|delivery errors|returned to sender|returned mail|permanent error|failure notice|has been returned|being returned|no such user|user unknown|does not exist|not a valid user|invalid final delivery|mailbox exceeds|mailbox is full)
(could not|cannot|can't|couldn't|unable to) (be )?(deliver|send|reach|accept|complete|find)
(nicht zugestellt|unzustellbar|nicht zustellbar|konnte nicht|nicht übermittelt|zustellung … (fehlgeschlagen|nicht))
(n'a pas pu|n'a pu|n'ont pas pu|non remis|non délivré|pas été remis|échec|echec|impossible de|n'a pas été)
(no se pudo|no pudo|no se ha podido|no ha podido|no fue entregado|no entregado|imposible entregar|no puede ser)
(não foi possível|nao foi possivel|não pôde|não foi entregue|falha na entrega|não pode ser)
(non è stato possibile|impossibile recapitare|non recapitat|mancato recapito|non è stato recapitato|non può essere)
(kon niet|niet worden afgeleverd|niet bezorgd|onbestelbaar)
(nie można dostarczyć|nie została dostarczona|nie mogła|niedostarczon)
(kunde inte|kunne ikke|ei voitu|teslim edilemedi|iletilemedi)
(не может быть|не доставлено|недоставлен|не удалось|не было доставлено|невозможно доставить)
(配信できません|送信できません|届けられません|配信不能|配送できません|エラーのため|送信できなかった|配信に失敗|不達|戻り|お届けできません|配信されません)
(无法投递|无法送达|退信|发送失败|投递失败|未送达|无法发送|無法傳遞|傳送失敗|退回|送達失敗|未能送达)
(전송되지|배달되지|전송 실패|반송|배달 실패|보내지 못)
`)
