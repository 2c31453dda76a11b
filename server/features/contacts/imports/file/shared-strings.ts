import { StringDecoder } from 'node:string_decoder'
import { CAPS } from './refusal.ts'
import { StringTable } from './string-table.ts'
import { XmlReader } from './xml.ts'
import { unpack, type ZipEntry } from './zip.ts'

const MAX_TEXT = CAPS.cell + 1

/** The shared strings of a workbook, read only as far as cells name them: a look at the first rows needs the first strings. */
export class SharedStrings {
  private readonly table = new StringTable()
  private readonly decoder = new StringDecoder('utf8')
  private readonly pieces: AsyncGenerator<Buffer> | undefined
  private readonly xml: XmlReader
  private isRead: boolean
  private text = ''
  private inText = false
  private phonetic = false

  constructor(path: string, entry: ZipEntry | undefined) {
    this.pieces = entry && unpack(path, entry)
    this.isRead = entry === undefined
    this.xml = new XmlReader({
      open: (name) => this.open(name),
      close: (name) => this.finish(name),
      text: (piece) => {
        if (this.inText && this.text.length < MAX_TEXT) this.text = (this.text + piece).slice(0, MAX_TEXT)
      },
    })
  }

  /** Reads on until the string with this number is there. */
  async readTo(index: number): Promise<void> {
    while (this.table.count <= index && !this.isRead) {
      const next = await this.pieces?.next()
      if (next && !next.done) this.xml.write(this.decoder.write(next.value))
      else {
        this.isRead = true
        this.xml.close()
      }
    }
  }

  /** The string with this number; '' when there is none. It has to be read before. */
  get(index: number): string {
    return this.table.get(index)
  }

  async close(): Promise<void> {
    this.table.close()
    await this.pieces?.return(undefined)
  }

  private open(name: string): void {
    if (name === 'si') this.text = ''
    else if (name === 't') this.inText = !this.phonetic
    else if (name === 'rPh') this.phonetic = true
  }

  private finish(name: string): void {
    if (name === 'si') this.table.add(this.text)
    else if (name === 't') this.inText = false
    else if (name === 'rPh') this.phonetic = false
  }
}
