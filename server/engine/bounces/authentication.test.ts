import { expect, test } from 'vitest'
import { findAuthenticationFault } from '../index.ts'

test.each([
  ['550-5.7.26 This mail has been blocked because the sender is unauthenticated.', true, 'Neither SPF nor DKIM'],
  ['421-4.7.27 Your email has been rate limited because SPF authentication did not pass.', true, 'SPF record'],
  ['550-5.7.30 This mail has been blocked because DKIM does not pass.', true, 'DKIM signature'],
  ['550-5.7.25 [192.0.2.1] The IP address sending this message does not have a PTR record setup', true, 'PTR record'],
  ['550-5.7.29 Gmail requires all messages to be sent over TLS.', true, 'TLS'],
  ['550 5.7.509 Access denied, sending domain shop.example does not pass DMARC verification', true, 'Neither SPF'],
  ['550 5.7.515 Access denied, sending domain does not meet the required authentication level', true, 'Neither SPF'],
  ['550 5.7.23 The message was rejected because of Sender Policy Framework violation', true, 'SPF record'],
  ["554 5.7.1 Your message was rejected due to shop.example's DMARC policy.", false, 'Neither SPF'],
  ['550 SPF check failed for shop.example', false, 'SPF record'],
  ['554 Email rejected: DKIM signature invalid', false, 'DKIM signature'],
])('authentication: %j tells what to fix', (response, isCoded, fix) => {
  expect(findAuthenticationFault(response)).toEqual({ isCoded, fix: expect.stringContaining(fix) })
})

test.each([
  '550 5.7.1 Our system has detected that this message is likely unsolicited mail.',
  '554 5.7.1 Service unavailable; client host [5.7.26.1] blocked using Spamhaus',
  '550 5.7.260 Rejected',
  '550 5.7.1 Rejected by our rules, see 5.7.26 and 550-5.7.27',
  '535 5.7.8 Authentication credentials invalid',
  '550 5.1.1 <dkim@shop.example> User unknown',
])('authentication: %j is another refusal', (response) => {
  expect(findAuthenticationFault(response)).toBeNull()
})
