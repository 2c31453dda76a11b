/** Tokens of LiquidJS: a way to look at their values, and two of its methods that take time without end. */
import { evalToken, Token, Tokenizer, TokenKind, toValue } from 'liquidjs'

/** Stands for a token and looks at each value it gives. */
export class WatchedToken<C> extends Token {
  readonly filters = []
  readonly initial: { postfix: Token[]; evaluate(context: C, lenient: boolean): Iterator<unknown> }
  constructor(token: Token, look: (value: unknown, context: C) => void) {
    super(TokenKind.FilteredValue, token.input, token.begin, token.end, token.file)
    this.initial = {
      postfix: [token],
      *evaluate(context, lenient) {
        const value = yield evalToken(token as never, context as never, lenient)
        look(value, context)
        return value
      },
    }
  }
}

// LiquidJS counts a range up by adding one, which beyond 2^53 changes nothing: it would never end.
const readGroupOrRange = Tokenizer.prototype.readGroupOrRange
Tokenizer.prototype.readGroupOrRange = function () {
  const range = readGroupOrRange.call(this) as { lhs?: Token; rhs?: Token } | undefined
  if (range?.lhs) range.lhs = new WatchedToken(range.lhs, checkBound)
  if (range?.rhs) range.rhs = new WatchedToken(range.rhs, checkBound)
  return range as never
}

function checkBound(value: unknown): void {
  if (Math.abs(Number(toValue(value as never))) > Number.MAX_SAFE_INTEGER)
    throw new Error('a range this far out cannot be counted')
}

// LiquidJS counts the lines before a token from the beginning, for each token: here they are looked up.
let counted: { input: string; starts: number[] } = { input: '', starts: [0] }
Token.prototype.getPosition = function () {
  if (counted.input !== this.input) {
    const starts = [0]
    for (let at = this.input.indexOf('\n'); at >= 0; at = this.input.indexOf('\n', at + 1)) starts.push(at + 1)
    counted = { input: this.input, starts }
  }
  const { starts } = counted
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= this.begin) low = middle
    else high = middle - 1
  }
  return [low + 1, this.begin - (starts[low] as number) + 1]
}
