import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { type Journey, journeys } from '#contracts/journeys/journeys.ts'
import { templates } from '#contracts/templates/templates.ts'
import type { Person } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'
import { t } from '../support/product.ts'

/** Simulates the one contact, who has no tag, and replays the days in which it joined the list. */
async function tryOut(page: Page) {
  const panel = page.getByRole('complementary')
  await page.getByRole('button', { name: 'Simulate', exact: true }).click()
  await panel.getByRole('button', { name: 'bo@journey.example' }).click()
  await panel.getByText('They would leave at an exit.').waitFor()
  await page.getByText('No, the path of this contact').waitFor()
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await panel.getByRole('button', { name: 'Count contacts' }).click()
  await panel.getByText('About 1 contact would have entered').waitFor()
  await page.getByText('1 would have reached this step').first().waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await panel.getByRole('button', { name: 'Close' }).click()
}

/** Enrolls the one contact from the table of contacts: it is in the journey already, and nobody enters twice. */
async function enrollFromTable(page: Page) {
  const back = page.url()
  await page.goto('/contacts')
  await page.getByRole('checkbox', { name: 'Select this row' }).check()
  await page.getByRole('button', { name: 'More actions for the selection' }).click()
  await page.getByRole('menuitem', { name: 'Enroll in a journey' }).click()
  await page.getByRole('button', { name: 'Enroll 1 contact' }).click()
  await page.getByText('No one entered.').waitFor()
  await page.goto(back)
}

/** Another tab saves twice: using its version saves nothing again, and keeping one's own saves all that is on the screen. */
async function meetAnotherTab(page: Page, { api }: Person, id: string) {
  const of = { params: { id } }
  const name = page.getByLabel('Journey name')
  const { definition } = await api(journeys.get, of)
  const theirs = await api(journeys.update, { ...of, body: { name: 'Theirs' } })
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Use their version' }).click()
  await untilPasses(async () => expect(await name.inputValue()).toBe('Theirs'))
  expect(await api(journeys.get, of)).toMatchObject({ version: theirs.version, definition })
  await api(journeys.update, { ...of, body: { definition: { ...definition, steps: [] } } })
  await name.fill('Mine')
  await page.getByRole('button', { name: 'Keep my version' }).click()
  await untilPasses(async () => expect(await api(journeys.get, of)).toMatchObject({ name: 'Mine', definition }))
}

/** Another tab activates it: what cannot be saved any more is said, and the screen shows what it is now. */
async function meetActivation(page: Page, { api }: Person, id: string) {
  await api(journeys.activate, { params: { id } })
  await page.getByLabel('Journey name').fill('Later')
  await page.getByRole('button', { name: 'Keep my version' }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
}

test('journeys: one is built from cards, saved by itself, activated, and contacts are enrolled and followed', async () => {
  const ada = await t.person()
  const { id: listId } = await ada.api(lists.create, { body: { name: 'News' } })
  const { id: tagId } = await ada.api(tags.create, { body: { name: 'VIP' } })
  await ada.api(contacts.create, { body: { email: 'bo@journey.example', lists: [listId] } })
  const { id: templateId } = await ada.api(templates.create, {
    body: { name: 'Hello', html: '<p>Hello {{ name }}</p>' },
  })
  const page = await openPage(browser, t.address, { token: ada.token })
  const panel = page.getByRole('complementary')
  const card = (name: RegExp) => page.getByRole('article').getByRole('button', { name }).first()
  const add = async (after: string, kind: string) => {
    await page.getByRole('button', { name: `Add a step after ${after}` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: kind }).click()
  }

  await page.goto('/journeys')
  await page.getByText('No journeys yet').waitFor()
  await page.getByRole('button', { name: 'Start from scratch' }).click()
  await page.getByText('2 things to fix before it can be activated').waitFor()
  await card(/^Trigger/).click()
  await panel.getByLabel('List', { exact: true }).selectOption('News')
  await add('the trigger', 'Email')
  await panel.getByLabel('Subject').fill('Hello from us')
  await panel.getByRole('button', { name: 'Choose a template' }).click()
  await page.getByRole('radio', { name: /^Hello/ }).click()
  await add('Email: Email', 'Branch')
  await panel.getByLabel('Value for Tag').selectOption('VIP')
  await page.getByText('Tag is VIP').waitFor()
  await add('Yes', 'Wait')
  await add('No', 'Exit')
  await add('Wait 1 day', 'Remove tag')
  await panel.getByLabel('Tag', { exact: true }).selectOption('VIP')
  // A step moves out of its branch, comes back with undo, and so does one that was deleted.
  await page.getByRole('button', { name: 'Actions for Remove tag: VIP' }).click()
  await page.getByRole('menuitem', { name: 'Delete step' }).click()
  await card(/^Remove tag/).waitFor({ state: 'detached' })
  await page.getByText('Remove tag deleted').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await card(/^Remove tag/).waitFor()
  await page.getByRole('button', { name: 'Actions for Exit' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await page.getByRole('region', { name: 'Yes of this branch' }).getByText('Exit', { exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('region', { name: 'No of this branch' }).getByText('Exit', { exact: true }).waitFor()
  await page.getByText('Saved', { exact: true }).first().waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  const id = page.url().split('/').at(-1) ?? ''
  const [email, branch] = (await ada.api(journeys.get, { params: { id } })).definition.steps
  expect(email).toMatchObject({ kind: 'email', subject: 'Hello from us', templateId })
  expect(branch).toMatchObject({
    filter: { items: [{ field: 'tag', is: 'equal', value: tagId }] },
    yes: [{ kind: 'wait' }, { kind: 'untag', tagId }],
    no: [{ kind: 'exit' }],
  })

  await meetAnotherTab(page, ada, id)
  await tryOut(page)
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByText('Contacts who join News from now on enter.').waitFor()
  await page.getByRole('button', { name: 'Activate journey' }).click()
  await page.getByText('Journey activated').waitFor()
  await page.getByRole('button', { name: 'Enroll contacts' }).click()
  await page.getByRole('checkbox', { name: /^News/ }).check()
  await page.getByText('1 contact matches now.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Enroll contacts' }).click()
  await page.getByText('1 accepted').waitFor()
  await t.sink.mailTo('bo@journey.example')
  await enrollFromTable(page)

  // On a phone the panel is a sheet over the flow.
  await page.setViewportSize({ width: 375, height: 800 })
  await card(/^Branch/).click()
  await page.getByRole('dialog').getByText('This journey is active. Pause it to change its steps.').waitFor()
  await page.getByRole('link', { name: 'View contacts at this step' }).click()
  await page.getByText('No contacts match').waitFor()
  await page.getByRole('button', { name: 'Clear the filter Step' }).click()
  await page.getByText('bo@journey.example').waitFor()
  await page.getByText('Left', { exact: true }).waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'Pause journey' }).click()
  await page.getByText('Journey paused').waitFor()
  const paused: Journey = await ada.api(journeys.get, { params: { id } })
  expect(paused).toMatchObject({ state: 'paused', entered: 1, active: 0, ended: 1, sent: 1 })
  await meetActivation(page, ada, id)
  expect(page.complaints).toEqual([])
})
