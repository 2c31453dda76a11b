import './post-text.css'
import { cx } from '#web/ui/lib/class-names.ts'

/** The text of a post, set for reading. `html` is what the server cleaned: nothing in it acts. */
export function PostText({ html, className }: { html: string; className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by the server when it is written and when it is shown
  return <div className={cx('post-text', className)} dangerouslySetInnerHTML={{ __html: html }} />
}
