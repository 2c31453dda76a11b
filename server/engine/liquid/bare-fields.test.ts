import { expect, test } from 'vitest'
import { findFields, parseLiquid } from './liquid.ts'

const bare = (source: string) =>
  findFields(parseLiquid(source, 'html')).flatMap(({ path, bare }) => (bare ? [path] : []))

test.each([
  ['{{ attributes.shoe }}', ['attributes.shoe']],
  ['{{- attributes["shoe"] | upcase -}}', ['attributes.shoe']],
  ['{{ attributes.shoe | default: "none" }}{{ attributes.shoe }}', ['attributes.shoe']],
  ['{{ attributes.shoe | upcase | default: "none" }}', []],
  ['{% if attributes.shoe %}{{ attributes.shoe }}{% endif %}', []],
  ['{% unless attributes["shoe"] == "" %}{{ attributes.shoe }}{% endunless %}', []],
  ['<a href="https://a.example/?s={{ attributes.shoe }}">a shoe</a>', []],
  ['<a href="https://a.example/">{{ attributes.shoe }}</a>', ['attributes.shoe']],
  ['{% assign shoe = attributes.shoe %}', []],
])('bare fields: of %s they are %j', (source, paths) => {
  expect(bare(source)).toEqual(paths)
})
