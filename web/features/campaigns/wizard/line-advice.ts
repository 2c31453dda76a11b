/** Characters of a subject that phones show, and of a preview text. */
const SHOWN = { subject: 60, preview: 110 }

/** Text as an inbox counts it: a merge field stands for a word of about six characters. */
const countCharacters = (text: string) => [...text.replace(/\{\{.*?\}\}/g, 'Robin_').replace(/\{%.*?%\}/g, '')].length

/** "42 characters" with advice where a line is long or short for an inbox. */
export function adviseLine(text: string, kind: 'subject' | 'preview'): string {
  const length = countCharacters(text.trim())
  if (length === 0)
    return kind === 'subject'
      ? 'Up to 60 characters are shown on most phones.'
      : 'Shown after the subject in the inbox. If it is empty, the inbox shows the first words of the email.'
  const count = length === 1 ? '1 character' : `${length} characters`
  if (length > SHOWN[kind]) return `${count}. Phones cut it off after about ${SHOWN[kind]}.`
  if (kind === 'preview' && length < 35) return `${count}. 35 or more fill the line.`
  return `${count}. Good length.`
}
