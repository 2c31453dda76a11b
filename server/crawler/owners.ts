import { type Card, vCardsIn } from './page/cards.ts'
import type { PageContent } from './page/read.ts'

/** Somebody the page names, and which of it is theirs. */
export interface Owner {
  name: string
  organization: string
  text: string
  links: string[]
}

/** More than this is no card of somebody, but a page that calls itself one. */
const LARGEST = 20_000
/** Characters in all cards together: they lie in one another. */
const MAX_CARD_CHARACTERS = 200_000

const known = new WeakMap<PageContent, Owner[]>()

/** Those whom cards of a page name, the innermost first: who is named there counts. */
export function findOwners(page: PageContent): Owner[] {
  const owners = known.get(page) ?? readOwners(page)
  known.set(page, owners)
  return owners
}

function readOwners(page: PageContent): Owner[] {
  let left = MAX_CARD_CHARACTERS
  const owners: Owner[] = []
  const size = ({ from, to }: Card) => to - from
  for (const card of [...page.cards].sort((a, b) => size(a) - size(b))) {
    left -= size(card)
    if (size(card) > LARGEST || left < 0) break
    const links = page.actions.filter(({ at }) => at >= card.from && at <= card.to).map(({ href }) => href)
    owners.push({ name: card.name, organization: card.organization, text: page.text.slice(card.from, card.to), links })
  }
  for (const text of [page.text, ...page.templates])
    owners.push(...vCardsIn(text).map((card) => ({ ...card, links: [] })))
  return owners
}
