import { Search } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { useEffect, useId, useRef, useState } from 'react'
import { Ring } from '../feedback/spinner.tsx'
import { cx } from '../lib/class-names.ts'
import { useFocusBack } from './overlay.tsx'

export interface Command {
  id: string
  label: string
  /** A quiet word at the end. */
  note?: React.ReactNode
  icon?: React.ReactNode
}

export interface CommandGroup<T extends Command = Command> {
  label: string
  items: T[]
}

interface CommandListProps<T extends Command> {
  /** What the window is, for screen readers. */
  title: string
  placeholder: string
  text: string
  onText: (text: string) => void
  groups: CommandGroup<T>[]
  /** More is being looked for. */
  busy: boolean
  /** What is said where there is nothing to choose. */
  empty: React.ReactNode
  onChoose: (item: T) => void
  onClose: () => void
}

/** A window to type in and choose from (ARIA's combobox with a list): arrow keys, Home, End, Enter and Esc. */
export function CommandList<T extends Command>(props: CommandListProps<T>) {
  const { title, placeholder, text, onText, groups, busy, empty, onChoose, onClose } = props
  const focus = useFocusBack()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const items = groups.flatMap((group) => group.items)
  const at = Math.min(active, Math.max(items.length - 1, 0))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another best choice
  useEffect(() => setActive(0), [text])
  useEffect(() => {
    box.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const onKeyDown = (event: React.KeyboardEvent) => {
    const last = items.length - 1
    const next: Record<string, number> = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      ...(event.ctrlKey || event.metaKey ? {} : { PageDown: Math.min(at + 5, last), PageUp: Math.max(at - 5, 0) }),
    }
    const chosen = items[at]
    const step = next[event.key]
    if (step !== undefined && last >= 0) setActive(step)
    else if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) onChoose(chosen)
    else return
    event.preventDefault()
  }

  let index = -1
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 animate-fade-in bg-black/45" />
        <Primitive.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="fixed inset-x-0 top-0 z-50 flex max-h-dvh animate-float-in flex-col overflow-hidden border bg-raised shadow-dialog outline-none sm:top-[12vh] sm:mx-auto sm:max-h-[70dvh] sm:w-[calc(100%-2rem)] sm:max-w-xl sm:rounded-dialog"
        >
          <Primitive.Title className="sr-only">{title}</Primitive.Title>
          <div className="flex h-12 shrink-0 items-center gap-3 border-b px-4">
            {busy ? <Ring /> : <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />}
            <input
              role="combobox"
              aria-label={placeholder}
              aria-expanded={items.length > 0}
              aria-controls={id}
              aria-autocomplete="list"
              aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              placeholder={placeholder}
              value={text}
              onChange={(event) => onText(event.target.value)}
              onKeyDown={onKeyDown}
              className="h-full min-w-0 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-muted max-wide:text-md"
            />
            <Primitive.Close className="shrink-0 rounded-[4px] border px-1.5 text-xs text-muted hover:text-ink">
              Esc<span className="sr-only">: close</span>
            </Primitive.Close>
          </div>
          <div ref={box} id={id} role="listbox" aria-label={title} className="min-h-0 flex-1 overflow-y-auto p-1.5">
            {groups.map((group) => (
              <div key={group.label} role="group" aria-label={group.label} className="not-first:mt-2">
                <p aria-hidden="true" className="px-2.5 py-1 text-xs font-medium text-muted">
                  {group.label}
                </p>
                {group.items.map((item) => {
                  index += 1
                  return (
                    <Choice
                      key={item.id}
                      item={item}
                      id={`${id}-${index}`}
                      index={index}
                      active={index === at}
                      onPoint={setActive}
                      onChoose={() => onChoose(item)}
                    />
                  )
                })}
              </div>
            ))}
          </div>
          {items.length === 0 && (
            <p role="status" className="px-4 pt-4 pb-6 text-center text-base text-muted">
              {empty}
            </p>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

interface ChoiceProps {
  item: Command
  id: string
  index: number
  active: boolean
  onPoint: (index: number) => void
  onChoose: () => void
}

function Choice({ item, id, index, active, onPoint, onChoose }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus and the keys stay in the text
    <div
      id={id}
      data-index={index}
      role="option"
      aria-selected={active}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => !active && onPoint(index)}
      onClick={onChoose}
      className={cx(
        'flex min-h-9 cursor-default items-center gap-3 rounded-control px-2.5 py-1.5 text-base text-ink [&_svg]:size-4 [&_svg]:shrink-0',
        active ? 'bg-accent-soft [&_svg]:text-accent-text' : '[&_svg]:text-muted',
      )}
    >
      {item.icon}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.note && <span className="max-w-[45%] shrink-0 truncate text-sm text-muted">{item.note}</span>}
    </div>
  )
}
