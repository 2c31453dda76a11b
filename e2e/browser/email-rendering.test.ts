import { beforeAll, expect, test } from 'vitest'
import { templates } from '#contracts/templates/templates.ts'
import type { Person } from '#server/testing/app.ts'
import { openPage } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { t } from '../support/product.ts'

let ada: Person
beforeAll(async () => {
  ada = await t.person()
})

/** What is wrong with an email as it is drawn, in readable lines. Runs in the page. */
function findFaults(): string[] {
  const faults: string[] = []
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`${document.documentElement.scrollWidth} px wide`)
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const box = element.getBoundingClientRect()
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
    if (!text || box.width === 0 || getComputedStyle(element).display === 'none') continue
    const words = element.textContent.trim().slice(0, 30)
    const size = Number.parseFloat(getComputedStyle(element).fontSize)
    if (size > 1 && size < 11) faults.push(`"${words}" is ${size} px high`)
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`"${words}" reaches beyond the edge`)
  }
  for (const link of document.querySelectorAll('a')) {
    const { height } = link.getBoundingClientRect()
    if (link.style.padding && height < 34) faults.push(`the button "${link.textContent.trim()}" is ${height} px high`)
  }
  return faults
}

test('starter templates: each one fits and is readable at 375 and 640 px', async () => {
  const { items } = await ada.api(templates.starters)
  expect(items.length).toBeGreaterThanOrEqual(12)
  const page = await openPage(browser, t.address)
  for (const { id } of items) {
    const made = await ada.api(templates.create, { body: { name: id, starter: id } })
    const { html } = await ada.api(templates.preview, { params: { id: made.id }, body: {} })
    await page.setContent(html)
    for (const width of [375, 640]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(findFaults), `${id} at ${width} px`).toEqual([])
    }
  }
})
