import { createTokens, signReturnAddress } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import { deriveKey } from '#server/platform/crypto.ts'

/** The name under which this installation takes reports by email. */
export const feedbackHost = ({ returnPathHost, publicUrl }: Pick<Config, 'returnPathHost' | 'publicUrl'>): string =>
  returnPathHost ?? new URL(publicUrl).hostname

/** Where receivers send DMARC reports about a sending domain; undefined: this installation does not listen for them. */
export function buildDmarcAddress(
  config: Pick<Config, 'returnPathHost' | 'publicUrl' | 'secretKey' | 'bounceSmtp'>,
  domainId: string,
): string | undefined {
  if (!config.bounceSmtp) return undefined
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  return signReturnAddress(tokens, 'dmarc', domainId, feedbackHost(config))
}
