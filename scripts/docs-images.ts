/**
 * `npm run docs:images`: draws the images of the README anew, from the built pages and with Chromium: the email editor and a
 * campaign report, both of the sample data, at twice their size, light and dark. Run it after a change of these screens;
 * the images are committed.
 */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { sampleData } from '#contracts/samples/samples.ts'
import { testApp } from '#server/testing/app.ts'
import setUp from '#server/testing/global-setup.ts'
import { openBrowser, openPage, untilStill } from '../e2e/support/browser.ts'

const FOLDER = 'docs/images'
const SIZE = { width: 1280, height: 960 }
const MAX_BYTES = 150_000

/** Writes what is in sight as WebP, at the largest quality that keeps it below the limit. */
async function draw(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ scale: 'device' })
  const path = join(FOLDER, `${name}.webp`)
  for (const quality of [90, 80, 70, 60, 50]) {
    // Without loss where that is small enough: a screen is mostly plain color and text.
    const { size } = await sharp(png)
      .webp({ nearLossless: quality === 90, quality, effort: 6, smartSubsample: true })
      .toFile(path)
    if (size < MAX_BYTES) return console.log(`${path}: ${size} bytes`)
  }
  throw new Error(`${path} has ${statSync(path).size} bytes, more than ${MAX_BYTES}`)
}

mkdirSync(FOLDER, { recursive: true })
// Ends last: the product needs its database until it has stopped.
await using _database = { [Symbol.asyncDispose]: await setUp() }
await using app = await testApp({ pages: 'built' })
await using browser = await openBrowser()
const person = await app.person({ name: 'Ida Lindqvist' })
const { campaignId, templateId } = await person.api(sampleData.add)
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await openPage(browser, app.address, {
    ...{ token: person.token, colorScheme, viewport: SIZE, deviceScaleFactor: 2, reducedMotion: 'reduce' },
  })
  await page.goto(`/editor/${templateId}`, { waitUntil: 'networkidle' })
  await untilStill(page)
  // The headline: what can be set of it is shown beside the email.
  await page.mouse.click(600, 280)
  await untilStill(page)
  await draw(page, `editor-${colorScheme}`)
  await page.goto(`/mail-dash/${campaignId}`, { waitUntil: 'networkidle' })
  await page.getByRole('figure').first().waitFor()
  await untilStill(page)
  await draw(page, `report-${colorScheme}`)
  await page.context().close()
}
