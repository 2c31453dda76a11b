/** For pages whose address carries a token: no cache keeps them, and no other page is told their address. */
export const secretHeaders = () => ({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })

/** The same for what reads the page and not its headers; search engines stay away. */
export const secretMeta = (title: string) => [
  { title: `${title} · Postlark` },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]
