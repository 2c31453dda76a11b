import { createTokens, signReturnAddress } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import { deriveKey } from '#server/platform/crypto.ts'

/** The name under which this installation takes reports by email. */
export const feedbackHost = ({ returnPathHost, publicUrl }: Pick<Config, 'returnPathHost' | 'publicUrl'>): string =>
  returnPathHost ?? new URL(publicUrl).hostname

/** Where mailbox providers send complaints for a source of kind `listener`. */
export function buildFeedbackAddress(
  config: Pick<Config, 'returnPathHost' | 'publicUrl' | 'secretKey'>,
  sourceId: string,
): string {
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  return signReturnAddress(tokens, 'feedback', sourceId, feedbackHost(config))
}
