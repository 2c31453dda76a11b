import { expect, test } from 'vitest'
import { recommendedLimits } from './receivers/labels.ts'
import { commonBody, noLimits, toSenderFields, typedBy } from './sender-form.ts'

const fields = { ...toSenderFields(null), host: 'smtp.shop.example', fromEmail: 'ada@shop.example' }
const withDomains = (...receivers: typeof fields.receivers) => ({
  ...fields,
  receivers: [...fields.receivers, ...receivers],
})
const problems = (given: typeof fields) =>
  typedBy(false)
    .safeParse(given)
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

test('sender form: limits of operators and of domains are sent, rows without a limit are none', () => {
  expect(commonBody(fields).receiverLimits).toEqual([])
  const google = { receiver: 'google', ...recommendedLimits }
  const given = {
    ...withDomains({ receiver: 'a.example', ...noLimits, perHour: '300' }, { receiver: '', ...noLimits }),
  }
  given.receivers[0] = google
  expect(commonBody(given).receiverLimits).toEqual([
    { receiver: 'google', connections: 2, perSecond: 1, perHour: null },
    { receiver: 'a.example', connections: null, perSecond: null, perHour: 300 },
  ])
  expect(problems(given)).toEqual([])
})

test('sender form: a limit for what is no domain, or for one twice, is refused where it is typed', () => {
  const limit = (receiver: string) => ({ receiver, ...noLimits, perHour: '1' })
  expect(problems(withDomains(limit('shop')))).toEqual(['receivers.4.receiver must have a dot, as in example.com'])
  expect(problems(withDomains(limit('a.example'), limit('A.example')))).toEqual([
    'receivers.5.receiver is listed twice',
  ])
})
