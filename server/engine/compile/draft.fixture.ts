/** A small but complete draft for tests. */
import type { Draft } from '../types.ts'

export const draft = (change: Partial<Draft> = {}): Draft => ({
  subject: 'News for {{ name }}',
  html: '<p>Hello {{ name }}</p><p><a href="https://example.com/offer?id=1">Offer</a></p>',
  from: { name: 'Ann', address: 'ann@sender.example' },
  trackOpens: true,
  trackClicks: true,
  publicUrl: 'https://post.example',
  footer: { company: 'Acme', postalAddress: '1 Road\nTown' },
  listId: 'list-1',
  feedbackId: 'c1:w1:email:postlark',
  ...change,
})
