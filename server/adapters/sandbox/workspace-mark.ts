import { createHmac } from 'node:crypto'
import { deriveKey, isSame } from '#server/platform/crypto.ts'

const MARK = /^w(\d{1,20})-([0-9a-f]{32})$/

/** The key of all marks, derived from SECRET_KEY. */
export const deriveMarkKey = (secretKey: string): Uint8Array => deriveKey(secretKey, 'workspaces at the emulators')

const sign = (key: Uint8Array, workspaceId: string) =>
  createHmac('sha256', key).update(workspaceId).digest('hex').slice(0, 32)

/**
 * By what an emulator knows which workspace sends: a word that fits EHLO and a header. Nobody without SECRET_KEY can make
 * one, so no workspace can send or read in the name of another. Real services are never given it.
 */
export const buildMark = (key: Uint8Array, workspaceId: string): string => `w${workspaceId}-${sign(key, workspaceId)}`

/** The id of the workspace that a mark stands for; undefined where it is none of ours. */
export function readMark(key: Uint8Array, mark: string): string | undefined {
  const [, workspaceId = '', signature = ''] = MARK.exec(mark) ?? []
  return workspaceId !== '' && isSame(signature, sign(key, workspaceId)) ? workspaceId : undefined
}

/** The header that carries a mark to an emulator over HTTP. */
export const MARK_HEADER = 'x-postlark-workspace'
