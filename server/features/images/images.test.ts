import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { blog } from '#contracts/blog/blog.ts'
import type { ApiError } from '#contracts/client.ts'
import { images } from '#contracts/images/images.ts'
import { templates } from '#contracts/templates/templates.ts'
import { noise, postForm } from '#server/features/blog/testing.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { sweepImages } from './sweep-store.ts'

let t: TestApp
let admin: Person

beforeAll(async () => {
  t = await sharedApp()
  admin = await t.person({ role: 'admin' })
})

function upload(bytes: Buffer | string, name: string) {
  const form = new FormData()
  form.append('image', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name)
  return admin.api(blog.uploadImage, { form })
}
const refused = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: ApiError) => ({ status: error.status, field: error.details[0]?.field }),
  )

test.each(['png', 'jpeg', 'webp', 'gif'] as const)('images: a %s becomes WebP without its metadata', async (format) => {
  const image = await upload(await noise(40, 30, format), `image.${format}`)
  expect(image).toMatchObject({ width: 40, height: 30 })
  const response = await t.inject(image.url)
  expect(response.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  })
  const facts = await sharp(response.rawPayload).metadata()
  expect([facts.format, facts.width, facts.height, facts.exif]).toEqual(['webp', 40, 30, undefined])
  expect(response.rawPayload.includes('Secret Person')).toBe(false)
})

test('images: a large cover is stored in two sizes', async () => {
  const cover = { name: 'cover.jpg', bytes: await noise(1800, 900, 'jpeg') }
  const { post } = await admin.api(blog.create, { form: postForm({ title: 'Covered' }, cover) })
  expect(post.coverSizes.map(({ width, height }) => [width, height])).toEqual([
    [1600, 800],
    [800, 400],
  ])
  expect(post.coverImage).toBe(post.coverSizes[0]?.url)
  for (const { url } of post.coverSizes) expect((await t.inject(url)).statusCode).toBe(200)
})

test('images: an image with EXIF rotation is turned upright', async () => {
  const turned = await sharp(await noise(40, 30, 'jpeg'))
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(await upload(turned, 'phone.jpg')).toMatchObject({ width: 30, height: 40 })
})

test('images: images in a post as data URLs are stored like uploaded ones', async () => {
  const data = `data:image/png;base64,${(await noise(20, 10)).toString('base64')}`
  const { post } = await admin.api(blog.create, { form: postForm({ content: `<p>x</p><img src="${data}">` }) })
  expect(post.content).toMatch(/<img src="\/media\/[0-9a-f]{40}-20x10\.webp"/)
})

const bomb = () =>
  sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#fff' }, limitInputPixels: false })
    .png({ compressionLevel: 9 })
    .toBuffer()
test.each([
  ['an SVG named .png', () => '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 400],
  ['HTML named .jpg', () => '<!doctype html><script>alert(1)</script>', 400],
  ['an empty file', () => '', 400],
  ['half an image', async () => (await noise(400, 400)).subarray(0, 20_000), 400],
  ['a decompression bomb', bomb, 400],
  ['6 MB', () => Buffer.alloc(6 * 1024 * 1024, 1), 413],
  ['50 MB', () => Buffer.alloc(50 * 1024 * 1024, 1), 413],
])('images: the upload of %s is refused with the field image', async (_, make, status) => {
  expect(await refused(upload((await make()) as Buffer, 'image.png'))).toEqual({ status, field: 'image' })
})

test('images: an unknown file name responds with 404', async () => {
  for (const name of [`${'a'.repeat(40)}-1x1.webp`, '../../etc/passwd', 'x'])
    expect((await t.inject(`/media/${name}`)).statusCode).toBe(404)
})

test('images: unused images are deleted after a week, and used ones are not', async () => {
  const person = await t.person()
  let width = 50
  const add = async () => {
    const form = new FormData()
    form.append('image', new Blob([new Uint8Array(await noise(++width, 30, 'png'))]), 'a.png')
    return person.api(images.add, { form })
  }
  const [kept, used, removed, young] = [await add(), await add(), await add(), await add()]
  const html = `<p><img src="${used.url}" alt="A"></p>`
  await person.api(templates.create, { body: { name: 'With an image', subject: 'Hi', html } })
  const inPost = await upload(await noise(++width, 30, 'png'), 'post.png')
  await admin.api(blog.create, {
    form: postForm({ title: 'Showing', content: `<p><img src="${inPost.url}" alt="A"></p>` }),
  })
  for (const { id } of [used, removed, young]) await person.api(images.remove, { params: { id } })
  const parsePath = ({ url }: { url: string }) => new URL(url, t.address).pathname
  const hash = /media\/(\w+)-/.exec(young.url)?.[1] ?? ''
  await sql`update images set created_at = now() - interval '8 days' where hash <> ${hash}`.execute(t.services.db)
  await sweepImages(t.services.db)
  const found = await Promise.all(
    [kept, used, inPost, young, removed].map(async (image) => (await t.inject(parsePath(image))).statusCode),
  )
  expect(found).toEqual([200, 200, 200, 200, 404])
})
