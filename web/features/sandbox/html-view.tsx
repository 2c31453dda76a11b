import { Monitor, Smartphone } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useMemo, useState } from 'react'
import { cx } from '#web/ui/lib/class-names.ts'

const POLICY =
  "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'"

/** A stranger's HTML for the frame: nothing that runs or loads styles, links in a new tab, a policy of its own. */
function frameDocument(html: string): string {
  // Handlers go before the parsing: the parser itself would report each one to the console.
  const quiet = html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\son[a-z]+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, ''))
  const page = new DOMParser().parseFromString(quiet, 'text/html')
  for (const element of page.querySelectorAll('script, link, iframe, object, embed, base, meta[http-equiv]'))
    element.remove()
  for (const link of page.querySelectorAll('a[href], area[href]')) {
    if (/^\s*(javascript|data|vbscript):/i.test(link.getAttribute('href') ?? '')) link.removeAttribute('href')
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
  for (const element of page.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) if (name.startsWith('on')) element.removeAttribute(name)
  }
  const policy = page.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = POLICY
  page.head.prepend(policy)
  return `<!doctype html>${page.documentElement.outerHTML}`
}

const widths = [
  { value: 'desktop', label: 'Desktop', icon: Monitor },
  { value: 'phone', label: 'Mobile', icon: Smartphone },
] as const

/** The HTML part in a sandboxed frame without scripts and without our origin, at a desktop's or a phone's width. */
export function HtmlView({ html, subject }: { html: string; subject: string }) {
  const [width, setWidth] = useState<string>('desktop')
  const source = useMemo(() => frameDocument(html), [html])
  return (
    <div className="flex flex-col">
      <RadioGroup.Root
        aria-label="Width"
        value={width}
        onValueChange={setWidth}
        className="mb-3 flex w-fit gap-0.5 self-end rounded-control border bg-sunken p-0.5 max-wide:hidden"
      >
        {widths.map(({ value, label, icon: Icon }) => (
          <RadioGroup.Item
            key={value}
            value={value}
            className="flex h-7 items-center gap-1.5 rounded-[4px] px-2.5 text-sm text-muted hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:font-medium data-[state=checked]:text-ink"
          >
            <Icon aria-hidden="true" className="size-3.5" />
            {label}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <div
        className={cx('flex min-h-0 flex-1 justify-center rounded-card', width === 'phone' && 'border bg-sunken py-4')}
      >
        <iframe
          title={`HTML of ${subject || 'an email without a subject'}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          srcDoc={source}
          className={cx(
            'h-[70dvh] min-h-80 border wide:h-[calc(100dvh-29.5rem)]',
            width === 'phone' ? 'w-[375px] rounded-dialog' : 'w-full rounded-card',
          )}
          style={{ background: '#fff', colorScheme: 'light' }}
        />
      </div>
    </div>
  )
}
