import { Fragment } from 'react'

const MARKS = /(```[\s\S]+?```|\*[^*\n]+\*|_[^_\n]+_|~[^~\n]+~)/g

/** A text with WhatsApp's own marks: *bold*, _italic_, ~struck~, ```fixed```. Nothing in it becomes a link or HTML. */
export function MessageText({ text }: { text: string }) {
  let place = 0
  return text.split(MARKS).map((part) => {
    const key = place
    place += part.length
    const inner = part.slice(1, -1)
    if (/^```[\s\S]+```$/.test(part)) return <code key={key}>{part.slice(3, -3)}</code>
    if (/^\*[^*]+\*$/.test(part)) return <strong key={key}>{inner}</strong>
    if (/^_[^_]+_$/.test(part)) return <em key={key}>{inner}</em>
    if (/^~[^~]+~$/.test(part)) return <s key={key}>{inner}</s>
    return <Fragment key={key}>{part}</Fragment>
  })
}
