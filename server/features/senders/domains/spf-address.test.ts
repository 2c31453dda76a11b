import { expect, test } from 'vitest'
import { isListed } from './spf-address.ts'

test.each([
  [['192.0.2.7'], ['ip4:192.0.2.0/24'], 'pass'],
  [['192.0.2.7'], ['ip4:192.0.2.7'], 'pass'],
  [['2001:db8::7'], ['ip4:192.0.2.0/24', 'ip6:2001:db8::/32'], 'pass'],
  [['192.0.3.7'], ['ip4:192.0.2.0/24'], 'fail'],
  [['192.0.2.7'], ['ip4:nonsense', 'ip4:192.0.2.0/99'], 'fail'],
  [['192.0.3.7'], ['mx'], 'unknown'],
  [['192.0.3.7'], ['exists:%{i}.example'], 'unknown'],
  [[], ['ip4:192.0.2.0/24'], 'unknown'],
] as const)('SPF: the address %j is judged by %j as %s', (addresses, passes, state) => {
  expect(isListed(addresses, new Set(passes))).toBe(state)
})
