/** What a published DKIM record (RFC 6376, 3.6.1) is against the one that should be there. */
export interface DkimReading {
  state: 'pass' | 'fail'
  message: string
}

/** The tags of a DKIM, DMARC or similar record; undefined where it is not a list of them. */
export function readTags(record: string): Map<string, string> | undefined {
  const tags = new Map<string, string>()
  for (const part of record.split(';')) {
    if (part.trim() === '') continue
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim().toLowerCase()
    if (at < 1 || !/^[a-z][a-z0-9_]*$/.test(name) || tags.has(name)) return undefined
    tags.set(name, part.slice(at + 1).trim())
  }
  return tags
}

const fail = (message: string): DkimReading => ({ state: 'fail', message })

/** Compares the TXT records under a selector with the public key that belongs there. */
export function readDkim(values: readonly string[], algorithm: 'rsa' | 'ed25519', publicKey: string): DkimReading {
  const records = values.filter((value) => /(^|;)\s*[pv]\s*=/i.test(value))
  const [record = ''] = records
  if (records.length === 0) return fail('Something else is published under this name: it is no DKIM record.')
  if (records.length > 1) return fail(`${records.length} DKIM records under this name: receivers may use any of them.`)
  const tags = readTags(record)
  const key = tags?.get('p')?.replaceAll(/\s/g, '')
  if (!tags || key === undefined) return fail('The DKIM record is damaged: copy the value again.')
  if (tags.has('v') && tags.get('v') !== 'DKIM1') return fail('The DKIM record must start with v=DKIM1.')
  if (key === '') return fail('The key is empty, which revokes it.')
  if (key !== publicKey)
    return fail(
      publicKey.startsWith(key)
        ? `The key is truncated after ${key.length} of ${publicKey.length} characters: split the value into strings of at most 255 characters.`
        : 'The key is a different one: copy the value again.',
    )
  if ((tags.get('k') ?? 'rsa') !== algorithm) return fail(`The DKIM record must say k=${algorithm}.`)
  if (
    tags.has('h') &&
    !tags
      .get('h')
      ?.split(':')
      .some((hash) => hash.trim() === 'sha256')
  )
    return fail('The DKIM record excludes SHA-256 (h=), with which emails are signed.')
  if (
    tags
      .get('t')
      ?.split(':')
      .some((flag) => flag.trim() === 'y')
  )
    return fail('The DKIM record is marked as a test (t=y), so receivers ignore its signatures.')
  return { state: 'pass', message: 'The key is published.' }
}
