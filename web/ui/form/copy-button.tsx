import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, children = 'Copy', ...rest }: ButtonProps & { text: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2_000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  return (
    <Button
      icon={
        state === 'copied' ? (
          <Check className="size-4" aria-hidden="true" />
        ) : (
          <Copy className="size-4" aria-hidden="true" />
        )
      }
      onClick={copy}
      {...rest}
    >
      {state === 'copied' ? 'Copied' : state === 'refused' ? 'Could not copy' : children}
    </Button>
  )
}
