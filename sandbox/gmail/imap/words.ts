/** What an IMAP command is made of: words (RFC 3501 atoms and strings, brackets included) and lists of them. */
export type ImapWord = string | ImapWord[]

/** Takes the arguments of a command apart. undefined: quotes or brackets that do not end. */
export function parseArguments(text: string): ImapWord[] | undefined {
  let at = 0
  function list(closing: boolean): ImapWord[] | undefined {
    const words: ImapWord[] = []
    for (;;) {
      while (text[at] === ' ') at++
      const sign = text[at]
      if (sign === undefined) return closing ? undefined : words
      if (sign === ')') {
        at++
        return closing ? words : undefined
      }
      const word = sign === '(' ? nested() : sign === '"' ? quoted() : atom()
      if (word === undefined) return undefined
      words.push(word)
    }
  }
  function nested(): ImapWord[] | undefined {
    at++
    return list(true)
  }
  function quoted(): string | undefined {
    const [whole, inner = ''] = /"((?:[^"\\]|\\.)*)"/sy.exec(text.slice(at)) ?? []
    if (whole === undefined) return undefined
    at += whole.length
    return inner.replace(/\\(.)/gs, '$1')
  }
  /** An atom; what stands in square brackets belongs to it: BODY.PEEK[HEADER.FIELDS (FROM TO)]<0.100>. */
  function atom(): string | undefined {
    const [whole] = /(?:[^\s()"[]|\[[^\]]*\])+/y.exec(text.slice(at)) ?? []
    if (whole === undefined) return undefined
    at += whole.length
    return whole
  }
  return list(false)
}

/** Whether a number is in a set such as 1:4,7,9:*, where * is `last`. undefined: it is no such set. */
export function inSet(set: string, last: number): ((number: number) => boolean) | undefined {
  const ranges: [number, number][] = []
  for (const part of set.split(',')) {
    const [, from = '', to = from] = /^(\d+|\*)(?::(\d+|\*))?$/.exec(part) ?? []
    if (from === '') return undefined
    const [a, b] = [from, to].map((one) => (one === '*' ? last : Number(one))) as [number, number]
    // Either way round, and * is the last one even where the other end lies behind it (RFC 3501).
    ranges.push([Math.min(a, b), Math.max(a, b)])
  }
  return (number) => ranges.some(([from, to]) => number >= from && number <= to)
}

/** A string as IMAP writes it: quoted, or as a literal where it cannot be. */
export function formatImapString(text: string | null): string {
  if (text === null) return 'NIL'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what cannot stand in quotes
  if (/[\u0000-\u001f\u007f-\uffff]/.test(text)) return `{${Buffer.byteLength(text, 'latin1')}}\r\n${text}`
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
