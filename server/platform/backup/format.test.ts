import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { BackupError, BackupReader, END_OF_ROWS } from './format.ts'

const Line = z.object({ n: z.number() })

async function* inPieces(text: string, sizes: number[]) {
  const bytes = Buffer.from(text)
  let [at, turn] = [0, 0]
  while (at < bytes.length) {
    const size = sizes[turn++ % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function readRows(reader: BackupReader): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of reader.rows()) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

// What COPY writes: no line of it is the end, and a backslash in a value is doubled.
const row = fc.oneof(
  fc.constantFrom('', '\\N', '\\\\.', '\\.\t1', 'a\\.', '.', '\\\\'),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\n\r\\]/g, '')),
)

test('backup: a table’s rows are read as they were written, wherever the pieces of the file end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
      async (rows, sizes) => {
        const content = rows.map((text) => `${text}\n`).join('')
        const reader = new BackupReader(inPieces(`{"n":1}\n${content}${END_OF_ROWS}{"n":2}\n`, sizes))
        expect(await reader.section(Line)).toEqual({ n: 1 })
        expect(await readRows(reader)).toBe(content)
        expect(await reader.section(Line)).toEqual({ n: 2 })
        await reader.end()
      },
    ),
  )
})

test('backup: a file that ends anywhere too early is refused', async () => {
  const whole = `{"n":1}\n1\tAda\n2\tIda\n${END_OF_ROWS}{"n":2}\n`
  for (let length = 0; length < whole.length; length++) {
    const reader = new BackupReader(inPieces(whole.slice(0, length), [5]))
    const read = async () => {
      await reader.section(Line)
      await readRows(reader)
      await reader.section(Line)
    }
    await expect(read()).rejects.toThrow(BackupError)
  }
})
