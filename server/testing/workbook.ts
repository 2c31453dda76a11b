import { constants, crc32, deflateRawSync } from 'node:zlib'

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** Deflates `before`, then `piece` so many times, then `after`. The repeats cost nothing: each is a block of its own. */
export function deflateRepeated(before: string, piece: string, times: number, after: string): Buffer {
  const block = (text: string) => deflateRawSync(text, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const repeated = block(piece)
  return Buffer.concat([block(before), ...Array.from({ length: times }, () => repeated), deflateRawSync(after)])
}

/** A ZIP file of deflated entries. `claimed` is the packed size its directory says all of them have. */
function buildZip(entries: Record<string, Buffer>, claimed?: number): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, packed] of Object.entries(entries)) {
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(packed), 16)
    entry.writeUInt32LE(claimed ?? packed.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** A workbook of one sheet from deflated parts, whose directory may lie about their packed size. */
export function buildWorkbook(sheet: Buffer, strings?: Buffer, claimed?: number): Buffer {
  const relations = (type: string, target: string) =>
    deflateRawSync(
      `${XML}<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`,
    )
  return buildZip(
    {
      '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
      'xl/workbook.xml': deflateRawSync(
        `${XML}<workbook><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
      'xl/worksheets/sheet1.xml': sheet,
      ...(strings && { 'xl/sharedStrings.xml': strings }),
    },
    claimed,
  )
}
