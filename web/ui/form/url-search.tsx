import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useDebounced } from '../lib/use-debounced.ts'
import { useHotkey } from '../lib/use-hotkey.ts'
import { withParam } from '../lib/with-param.ts'
import { SearchInput } from './input.tsx'

/** A search box whose text is stored in the URL once typing rests; `/` goes to it, Esc empties it. */
export function UrlSearch({ label, param = 'q', className }: { label: string; param?: string; className?: string }) {
  const [search, setSearch] = useSearchParams()
  const inAddress = search.get(param) ?? ''
  const [text, setText] = useState(inAddress)
  const settled = useDebounced(text)
  const box = useRef<HTMLInputElement>(null)
  const written = useRef(inAddress)
  useHotkey('/', () => box.current?.focus())

  useEffect(() => {
    if (settled === written.current) return
    written.current = settled
    setSearch((old) => withParam(old, param, settled), { replace: true, preventScrollReset: true })
  }, [settled, param, setSearch])

  // Back and links change the address from outside.
  useEffect(() => {
    if (inAddress === written.current) return
    written.current = inAddress
    setText(inAddress)
  }, [inAddress])

  return (
    <SearchInput
      label={label}
      className={className ?? ''}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && setText('')}
      ref={box}
    />
  )
}
