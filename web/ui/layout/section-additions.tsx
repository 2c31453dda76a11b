import { createContext, use } from 'react'
import { createPortal } from 'react-dom'

interface SectionContext {
  title: string
  /** Where the page's sentence and its buttons are shown; null beside the pages of the tabs. */
  places: { description: HTMLElement | null; action: HTMLElement | null } | null
}

const Context = createContext<SectionContext | null>(null)

/** Says which section the pages below are part of. */
export const SectionProvider = Context.Provider

/** The section a page is part of; null for a page of its own. */
export const useSection = (): SectionContext | null => use(Context)

/** What a page adds to the head of its section. */
export function SectionAdditions(props: {
  places: NonNullable<SectionContext['places']>
  description: React.ReactNode
  action: React.ReactNode
}) {
  const { description, action } = props.places
  return (
    <>
      {description && createPortal(props.description, description)}
      {action && createPortal(props.action, action)}
    </>
  )
}
