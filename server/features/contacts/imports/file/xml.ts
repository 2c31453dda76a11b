import { SaxesParser } from 'saxes'
import { FileRefused } from './refusal.ts'

/** Characters one tag, text, comment or other part of the mark-up may have; a cell of a workbook has 32,767 at most. */
const MAX_NODE = 262_144
const MAX_DEPTH = 256

export interface XmlHandlers {
  /** Names come without their prefix. */
  open(name: string, attributes: Record<string, string>): void
  close?: (name: string) => void
  text?: (piece: string) => void
}

/**
 * Reads XML pushed in pieces, in bounded memory: the parser below collects a part of the mark-up until it ends, however
 * long it is. Throws FileRefused for what is damaged, and for what no program that writes tables makes.
 */
export class XmlReader {
  private readonly parser = new SaxesParser({ position: false })
  private depth = 0
  /** Characters given since the last part that ended. */
  private silent = 0

  constructor({ open, close, text }: XmlHandlers) {
    const heard = () => {
      this.silent = 0
    }
    this.parser.on('error', damaged)
    this.parser.on('opentag', (tag) => {
      heard()
      if (++this.depth > MAX_DEPTH) damaged()
      open(bare(tag.name), tag.attributes as Record<string, string>)
    })
    this.parser.on('closetag', (tag) => {
      heard()
      this.depth--
      close?.(bare(tag.name))
    })
    this.parser.on('text', (piece) => {
      heard()
      text?.(piece)
    })
    for (const event of ['comment', 'cdata', 'processinginstruction', 'doctype'] as const) this.parser.on(event, heard)
  }

  write(xml: string): void {
    this.silent += xml.length
    guarded(() => this.parser.write(xml))
    if (this.silent > MAX_NODE) {
      throw new FileRefused(
        'The workbook holds a text longer than any cell can be. Save the table as CSV and send it again.',
      )
    }
  }

  close(): void {
    guarded(() => this.parser.close())
  }
}

function bare(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

function damaged(): never {
  throw new FileRefused('The workbook is damaged and cannot be read to its end. Open it, save it and upload it again.')
}

function guarded(read: () => void): void {
  try {
    read()
  } catch (error) {
    if (error instanceof FileRefused) throw error
    damaged()
  }
}
