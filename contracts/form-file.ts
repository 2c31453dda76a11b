import { z } from 'zod'

/** A file of a form, in memory. `name` is one line without folders and may be empty; `type` is lower case, without parameters. */
export interface FormFile {
  name: string
  type: string
  bytes: Buffer
}

/** A file of a form that was written to disk as it arrived. `size` in bytes. */
export interface StoredFile {
  name: string
  type: string
  path: string
  size: number
}

/** What the server holds a file of a form against, with the texts of its refusals. */
export interface FileRule {
  /** Bytes at most, or bytes by content type: a type that is not listed is refused (415). */
  max: number | Record<string, number>
  /** After the name of the field, where no file came (400). */
  missing: string
  /** Of a file that is larger (413). `limit` in bytes. */
  tooLarge: (limit: number) => string
  /** Of a file of another type (415). */
  wrongType?: string
  /** The limit of one file where it depends on more than its type. */
  findMax?: (file: { name: string; type: string }) => number
  /** A form that is announced as larger is refused before it is read. */
  isLengthChecked?: true
  /** It is written to disk as it arrives, instead of being held in memory. */
  isStored?: true
}

const MB = 1024 * 1024
const rules = z.registry<FileRule>()

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isFormFile = (value: unknown) => isRecord(value) && value.bytes instanceof Uint8Array
const isStoredFile = (value: unknown) => isRecord(value) && typeof value.path === 'string'

function described<T>(isFile: (value: unknown) => boolean, description: string, rule: FileRule): z.ZodType<T> {
  const schema = z.custom<T>(isFile, rule.missing).meta({ description })
  rules.add(schema, rule)
  return schema
}

/** The schema of a file that is held in memory: `image: formFile('An image', { max, missing, tooLarge })`. */
export const formFile = (description: string, rule: Omit<FileRule, 'isStored'>) =>
  described<FormFile>(isFormFile, description, rule)

/** The schema of a file that is written to disk. */
export const storedFile = (description: string, rule: Omit<FileRule, 'isStored' | 'max'> & { max: number }) =>
  described<StoredFile>(isStoredFile, description, { ...rule, isStored: true })

/** The rule of a field that takes a file; undefined for any other field. */
export function fileRule(schema: z.core.$ZodType): FileRule | undefined {
  const { def } = schema as z.ZodType
  const inner = def as { innerType?: z.core.$ZodType; options?: readonly z.core.$ZodType[] }
  if (inner.innerType) return fileRule(inner.innerType)
  for (const option of inner.options ?? []) {
    const found = fileRule(option)
    if (found) return found
  }
  return rules.get(schema)
}

/** The fields of a form by name. */
export function formFields(form: z.ZodType): Record<string, z.core.$ZodType> {
  const def = form.def as { shape?: Record<string, z.core.$ZodType>; out?: z.ZodType }
  if (def.shape) return def.shape
  return def.out ? formFields(def.out) : {}
}

/** A JSON object in a text field of a form, checked by `schema`. An empty text is none. */
export const jsonField = <T extends z.ZodType>(schema: T, what: string) =>
  z
    .string()
    .transform((text, context): unknown => {
      if (text.trim() === '') return undefined
      const value = parseJson(text)
      if (isRecord(value) && !Array.isArray(value)) return value
      context.addIssue({ code: 'custom', message: `is not a JSON object ${what}` })
      return z.NEVER
    })
    .pipe(schema.optional())

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The schema of an image that a form uploads. */
export const imageFile = (description: string) =>
  formFile(`${description}: JPEG, PNG, WebP or GIF of at most 5 MB`, {
    max: 5 * MB,
    missing: 'is required: choose an image',
    tooLarge: () => 'The image is larger than 5 MB. Make it smaller, then try again.',
  })

/** The schema of a file of rows that a form uploads. */
export const rowsFile = (description: string) =>
  storedFile(description, {
    max: 2 * 1024 * MB,
    isLengthChecked: true,
    missing: 'is missing: choose a CSV file or an Excel workbook',
    tooLarge: () =>
      'The file is larger than 2 GB. Nothing was stored. Split it and send the parts one after the other.',
  })
