/**
 * Where Done leads: the path given as `?return=`, or `fallback`. Only paths of our own site, so that a link to the editor
 * cannot lead elsewhere.
 */
export function findReturnPath(search: string, fallback = '/my-templates'): string {
  const wanted = new URLSearchParams(search).get('return') ?? ''
  if (!/^\/(?![/\\])/.test(wanted) || wanted.length > 2_000) return fallback
  try {
    const { origin, pathname, search: query, hash } = new URL(wanted, 'https://own.invalid')
    return origin === 'https://own.invalid' && !pathname.startsWith('//') ? pathname + query + hash : fallback
  } catch {
    return fallback
  }
}
