import { expect, test } from 'vitest'
import { findDomain, findOperator, findOperatorByServer } from './index.ts'

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
  const domain = findDomain(address)
  expect(findOperator(domain) ?? domain).toBe(receiver)
})

test.each([
  ['ASPMX.L.Google.com.', 'google'],
  ['smtp.google.com', 'google'],
  ['aspmx2.googlemail.com', 'google'],
  ['shop-example.mail.protection.outlook.com', 'microsoft'],
  ['shop-example.a-v1.mx.microsoft', 'microsoft'],
  ['mx-biz.mail.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'apple'],
  ['mx.notgoogle.com', undefined],
  ['google.com.evil.example', undefined],
  ['mx1.shop.example', undefined],
])('receiver: the mail server %s belongs to %s', (exchange, operator) => {
  expect(findOperatorByServer(exchange)).toBe(operator)
})
