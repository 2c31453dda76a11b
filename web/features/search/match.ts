/** How well one word of a search fits a text, both in lower case: 0 is not at all. */
function scoreWord(word: string, text: string): number {
  if (text.startsWith(word)) return 4
  if (text.includes(` ${word}`)) return 3
  if (text.includes(word)) return 2
  return holdsInOrder(word, text) ? 1 : 0
}

/** Whether the characters come in order, the first at the start of a word: "nwc" finds "new whatsapp campaign". */
function holdsInOrder(characters: string, text: string): boolean {
  return [...text.matchAll(/(?:^| )(?=\S)/g)].some(({ index, 0: gap }) => {
    let rest = text.slice(index + gap.length)
    if (!rest.startsWith(characters.slice(0, 1))) return false
    for (const character of characters) {
      const at = rest.indexOf(character)
      if (at < 0) return false
      rest = rest.slice(at + character.length)
    }
    return true
  })
}

/** How well a search fits a label or its other words: every word of it has to fit. 0 is not at all; the label counts double. */
export function scoreMatch(search: string, label: string, keywords = ''): number {
  let score = 0
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean)) {
    const inLabel = scoreWord(word, label.toLowerCase())
    const found = inLabel > 0 ? inLabel * 2 : keywords.toLowerCase().includes(word) ? 1 : 0
    if (found === 0) return 0
    score += found
  }
  return score
}

/** The items that fit, the best first; among equals in their order. */
export function findMatches<T extends { label: string; keywords?: string }>(items: T[], search: string): T[] {
  return items
    .map((item) => ({ item, score: scoreMatch(search, item.label, item.keywords) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}
