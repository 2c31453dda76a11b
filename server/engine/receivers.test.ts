import { expect, test } from 'vitest'
import { findReceiver } from './index.ts'

test.each([
  ['ada@gmail.com', 'google'],
  ['ada@GoogleMail.com', 'google'],
  ['ada@hotmail.co.uk', 'microsoft'],
  ['ada@live.com.br', 'microsoft'],
  ['ada@outlook.de', 'microsoft'],
  ['ada@yahoo.fr', 'yahoo'],
  ['ada@aol.com', 'yahoo'],
  ['ada@yahoo.co.jp', 'yahoo.co.jp'],
  ['ada@me.com', 'apple'],
  ['ada@gmail.com.example.org', 'gmail.com.example.org'],
  ['ada@notgmail.com', 'notgmail.com'],
  ['"a@gmail.com"@Shop.example', 'shop.example'],
  ['+4915112345678', ''],
])('receiver: %s is received by %s', (address, receiver) => {
  expect(findReceiver(address)).toBe(receiver)
})
