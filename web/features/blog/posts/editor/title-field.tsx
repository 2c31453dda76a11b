import { useLayoutEffect, useRef } from 'react'

/** The title of a post as large as readers see it, on as many lines as it needs. Enter goes on to the text. */
export function TitleField({ value, onChange }: { value: string; onChange: (title: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows the text
  useLayoutEffect(() => {
    const adjust = () => {
      if (!field.current) return
      field.current.style.height = 'auto'
      field.current.style.height = `${field.current.scrollHeight}px`
    }
    adjust()
    // A phone that is turned breaks the lines elsewhere.
    addEventListener('resize', adjust)
    return () => removeEventListener('resize', adjust)
  }, [value])
  return (
    <textarea
      ref={field}
      aria-label="Title"
      placeholder="Post title"
      rows={1}
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.target.value.replaceAll('\n', ' '))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.currentTarget.form?.querySelector<HTMLElement>('.ql-editor')?.focus()
      }}
      className="mt-4 -ml-3 block w-[calc(100%+0.75rem)] resize-none overflow-hidden bg-transparent py-1 pl-3 text-2xl leading-[1.15] font-[680] tracking-[-0.03em] wrap-anywhere text-ink outline-none placeholder:text-muted focus-visible:shadow-[inset_2px_0_0_var(--color-accent-text)] sm:mt-6 sm:text-3xl"
    />
  )
}
