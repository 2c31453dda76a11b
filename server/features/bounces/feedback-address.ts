import { createTokens, signReturnAddress } from '#server/engine/index.ts'
import { feedbackHost } from '#server/features/senders/index.ts'
import type { Config } from '#server/platform/config.ts'
import { deriveKey } from '#server/platform/crypto.ts'

/** Where mailbox providers send complaints for a source of kind `listener`. */
export function buildFeedbackAddress(
  config: Pick<Config, 'returnPathHost' | 'publicUrl' | 'secretKey'>,
  sourceId: string,
): string {
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  return signReturnAddress(tokens, 'feedback', sourceId, feedbackHost(config))
}
