import { expect, test } from 'vitest'
import { fillVariables } from './fill-variables.ts'

const ada = {
  name: 'Ada King Lovelace',
  phone: '+447911123456',
  attributes: { company: 'Engines', seats: 3, gone: null },
}

test('saved reply: its variables are filled in from the contact', () => {
  expect(fillVariables('Hi {{first_name}} {{ last_name }}, {{attributes.company}} has {{seats}} seats.', ada)).toBe(
    'Hi Ada King Lovelace, Engines has 3 seats.',
  )
})

test('saved reply: a first and a last name that are stored are used, as in emails', () => {
  const mary = { ...ada, attributes: { first_name: 'Ada Augusta', last_name: 'Byron' } }
  expect(fillVariables('{{first_name}}/{{last_name}}', mary)).toBe('Ada Augusta/Byron')
})

test('saved reply: a variable without a value leaves its default or nothing', () => {
  expect(fillVariables('Hi {{ nick | default: "there" }}{{gone}}{{ constructor }}!', ada)).toBe('Hi there!')
  expect(fillVariables("{{ email | default: 'no email' }}", ada)).toBe('no email')
})

test('saved reply: braces that hold no variable are left alone', () => {
  expect(fillVariables('{{ }} and {one} {{a b}}', ada)).toBe('{{ }} and {one} {{a b}}')
})
