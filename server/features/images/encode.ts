import { invalid } from '#server/platform/http/refusal.ts'

/** A re-encoded image in one size: WebP bytes, pixels. */
export interface Encoded {
  width: number
  height: number
  bytes: Buffer
}

const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif'])
// Of all frames together: a small file may unfold to gigabytes.
const MAX_PIXELS = 50_000_000
const MAX_FRAMES = 200
const WIDTHS = [1600, 800]
const SECONDS = 20

/** Loaded with the first image. One image uses one thread, so that two uploads do not take the machine. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  return sharp
}

const broken = (field: string) => invalid(field, 'is not an image that can be read: choose a JPEG, PNG, WebP or GIF')

/**
 * Decodes an image whatever its name says and writes it anew as WebP, turned upright, without metadata, at most 1600
 * pixels wide and a second time at 800 where it is wider. Throws Refusal 400 naming `field`.
 */
export async function encodeImage(bytes: Buffer, field: string): Promise<Encoded[]> {
  if (bytes.length === 0) throw broken(field)
  const sharp = await loadSharp()
  const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const
  const facts = await sharp(bytes, limits)
    .metadata()
    .catch((error: Error) => {
      throw /pixel limit/i.test(error.message) ? tooManyPixels(field) : broken(field)
    })
  if (!FORMATS.has(facts.format ?? '')) throw broken(field)
  const frames = facts.pages ?? 1
  if (frames > MAX_FRAMES || facts.width * (facts.pageHeight ?? facts.height) * frames > MAX_PIXELS)
    throw tooManyPixels(field)
  const widths = WIDTHS.filter((width, i) => i === 0 || facts.autoOrient.width > width)
  const made: Encoded[] = []
  for (const width of widths) {
    const { data, info } = await sharp(bytes, { ...limits, animated: frames > 1 })
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality: 82, effort: 4 })
      .timeout({ seconds: SECONDS })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw broken(field)
      })
    made.push({ width: info.width, height: info.pageHeight ?? info.height, bytes: data })
  }
  return made
}

const tooManyPixels = (field: string) => invalid(field, 'has too many pixels: make it smaller than 7000 by 7000')
