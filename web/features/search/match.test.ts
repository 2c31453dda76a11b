import { expect, test } from 'vitest'
import { findMatches } from './match.ts'

const items = [
  { label: 'Email Sender', keywords: 'campaigns newsletter' },
  { label: 'Gmail Sender' },
  { label: 'Create a WhatsApp campaign' },
  { label: 'Email Scraper', keywords: 'leads' },
  { label: 'Subscription Plan', keywords: 'billing invoices' },
]
const find = (search: string) => findMatches(items, search).map(({ label }) => label)

test('palette: words in any order, starts of words and characters in order are found, the closest first', () => {
  expect(find('email')).toEqual(['Email Sender', 'Email Scraper'])
  expect(find('sender em')).toEqual(['Email Sender'])
  expect(find('mail')).toEqual(['Email Sender', 'Gmail Sender', 'Email Scraper'])
  expect(find('campaign')).toEqual(['Create a WhatsApp campaign', 'Email Sender'])
  expect(find('wc')).toEqual(['Create a WhatsApp campaign'])
  expect(find('invoice')).toEqual(['Subscription Plan'])
  expect(find('EMSE')).toEqual(['Email Sender', 'Email Scraper'])
})

test('palette: a search with a word that fits nothing finds nothing', () => {
  expect(find('email zebra')).toEqual([])
  expect(find('liame')).toEqual([])
})
